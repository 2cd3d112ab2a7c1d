public import CoreTracker
public import TYTracker

/// The tracker of Trendyol's checkout: the product's services, and the feature's own default parameters.
///
/// Made without arguments it is safe everywhere: until the app opens the delivery engine, nothing is sent.
public struct TYCheckoutTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService
    public var scope: EventParameters { .checkout }

    /// Creates a tracker; an app or a test replaces the services that it wants to be others.
    public init(
        firebaseService: any FirebaseService = TYTracker.standard.firebaseService,
        awesomeTrackingService: any AwesomeTrackingService = TYTracker.standard.awesomeTrackingService,
        vendorService: any VendorService = TYTracker.standard.vendorService
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

extension EventParameters {
    /// What each event of the checkout carries by default.
    static let checkout: EventParameters = [.screen("checkout"), .feature("checkout")]
}

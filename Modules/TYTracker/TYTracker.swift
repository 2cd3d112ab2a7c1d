public import CoreTracker
public import EventDelivery

/// The tracker of Trendyol: `CoreTracker` with the product's own services.
///
/// Made without arguments it is safe everywhere: until the app opens the delivery engine, nothing is sent.
public struct TYTracker: CoreTracker {
    /// The services of Trendyol, on any delivery engine.
    public static let services = ProductServices(product: "TY", settings: TYSettings.current)

    /// The tracker on the app's own delivery engine, whose services the features' trackers have by default.
    public static let standard = TYTracker()

    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker; an app or a test replaces the services that it wants to be others.
    public init(
        firebaseService: any FirebaseService = TYTracker.services.firebase(),
        awesomeTrackingService: any AwesomeTrackingService = TYTracker.services.awesomeTracking(),
        vendorService: any VendorService = TYTracker.services.vendors()
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

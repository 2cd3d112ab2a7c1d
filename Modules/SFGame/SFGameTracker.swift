public import CoreTracker
public import SFTracker

/// The tracker of Starfield's game: the product's services, and the feature's own default parameters.
///
/// Made without arguments it is safe everywhere: until the app opens the delivery engine, nothing is sent.
public struct SFGameTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService
    public var scope: EventParameters { .game }

    /// Creates a tracker; an app or a test replaces the services that it wants to be others.
    public init(
        firebaseService: any FirebaseService = SFTracker.standard.firebaseService,
        awesomeTrackingService: any AwesomeTrackingService = SFTracker.standard.awesomeTrackingService,
        vendorService: any VendorService = SFTracker.standard.vendorService
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

extension EventParameters {
    /// What each event of the game carries by default.
    static let game: EventParameters = [.screen("game"), .feature("game")]
}

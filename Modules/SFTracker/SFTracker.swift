public import CoreTracker
public import EventDelivery

/// The tracker of Starfield: `CoreTracker` with the product's own services.
///
/// Made without arguments it is safe everywhere: until the app opens the delivery engine, nothing is sent.
public struct SFTracker: CoreTracker {
    /// The services of Starfield, on any delivery engine.
    public static let services = ProductServices(product: "SF", settings: SFSettings.current)

    /// The tracker on the app's own delivery engine, whose services the features' trackers have by default.
    public static let standard = SFTracker()

    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker; an app or a test replaces the services that it wants to be others.
    public init(
        firebaseService: any FirebaseService = SFTracker.services.firebase(),
        awesomeTrackingService: any AwesomeTrackingService = SFTracker.services.awesomeTracking(),
        vendorService: any VendorService = SFTracker.services.vendors()
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

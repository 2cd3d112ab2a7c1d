public import CoreTracker
public import EventDelivery

/// The tracker of Dolap Lite: `CoreTracker` with the product's own services.
///
/// Made without arguments it is safe everywhere: until the app opens the delivery engine, nothing is sent.
public struct DLTracker: CoreTracker {
    /// The services of Dolap Lite, on any delivery engine.
    public static let services = ProductServices(product: "DL", settings: DLSettings.current)

    /// The tracker on the app's own delivery engine, whose services the features' trackers have by default.
    public static let standard = DLTracker()

    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker; an app or a test replaces the services that it wants to be others.
    public init(
        firebaseService: any FirebaseService = DLTracker.services.firebase(),
        awesomeTrackingService: any AwesomeTrackingService = DLTracker.services.awesomeTracking(),
        vendorService: any VendorService = DLTracker.services.vendors()
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

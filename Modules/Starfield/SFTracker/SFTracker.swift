public import CoreTracker
public import EventBuffer

/// The tracker of Starfield: a `CoreTracker` with the product's services.
///
/// `SFTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it. Vendor events
/// are counted but not sent, unless the app passes a vendor service.
public struct SFTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker from its services.
    ///
    /// - Parameters:
    ///   - firebaseService: The service that sends Firebase events.
    ///   - awesomeTrackingService: The service that sends AwesomeTracking events.
    ///   - vendorService: The service that sends vendor events. The default counts them and sends nothing.
    public init(
        firebaseService: any FirebaseService = SFFirebaseService(),
        awesomeTrackingService: any AwesomeTrackingService = SFAwesomeTrackingService(),
        vendorService: any VendorService = NoVendorService(product: "SF")
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }

    /// Creates a tracker that delivers through an engine other than the shared one.
    ///
    /// - Parameters:
    ///   - engine: The engine of all three services.
    ///   - settings: The source of the default parameters for AwesomeTracking.
    ///   - vendorService: The service for vendor events, such as the `Tracker` of MultiTracker. If it is `nil`, vendor
    ///     events are counted but not sent.
    public init(
        on engine: DeliveryEngine,
        settings: ProductSettings<SFSettings> = SFSettings.current,
        vendorService: (any VendorService)? = nil
    ) {
        self.init(
            firebaseService: SFFirebaseService(on: engine),
            awesomeTrackingService: SFAwesomeTrackingService(on: engine, settings: settings),
            vendorService: vendorService ?? NoVendorService(product: "SF", delivery: engine)
        )
    }
}

public import CoreTracker
public import EventBuffer

/// The tracker of Dolap Lite: a `CoreTracker` with the product's services.
///
/// ```swift
/// let tracker = DLTracker(on: engine, vendorService: Tracker(trackerStore: store))
/// ```
///
/// `DLTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it. Vendor events
/// are counted but not sent, unless the app passes a vendor service.
public struct DLTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker from its services; pass a service to replace its default.
    public init(
        firebaseService: any FirebaseService = DLFirebaseService(),
        awesomeTrackingService: any AwesomeTrackingService = DLAwesomeTrackingService(),
        vendorService: any VendorService = NoVendorService(product: "DL")
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

extension DLTracker {
    /// Creates a tracker that delivers through an engine other than the shared one.
    ///
    /// - Parameters:
    ///   - engine: The engine of all three services.
    ///   - settings: The source of the default parameters for AwesomeTracking.
    ///   - vendorService: The service for vendor events, such as the `Tracker` of MultiTracker. If it is `nil`, vendor
    ///     events are counted but not sent.
    public init(
        on engine: DeliveryEngine,
        settings: ProductSettings<DLSettings> = DLSettings.current,
        vendorService: (any VendorService)? = nil
    ) {
        self.init(
            firebaseService: DLFirebaseService(on: engine),
            awesomeTrackingService: DLAwesomeTrackingService(on: engine, settings: settings),
            vendorService: vendorService ?? NoVendorService(product: "DL", delivery: engine)
        )
    }
}

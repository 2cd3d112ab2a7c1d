public import CoreTracker
public import EventDelivery

/// The tracker of Dolap Lite: `CoreTracker` with the product's own services.
///
/// `DLTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that engine. Events for
/// vendors are counted and not sent, unless the app passes a vendor service.
public struct DLTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker from its services; each can be replaced.
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
    ///   - settings: The source of AwesomeTracking's default parameters.
    ///   - vendorService: The service for vendors, such as the `Tracker` of MultiTracker; `nil` counts their events.
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

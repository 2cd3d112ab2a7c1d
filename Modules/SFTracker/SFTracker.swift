public import CoreTracker
public import EventDelivery

/// The tracker of Starfield: `CoreTracker` with the product's own services.
///
/// `SFTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that engine. Events for
/// vendors are counted and not sent, unless the app passes a vendor service.
public struct SFTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker from its services; each can be replaced.
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
    ///   - settings: The source of AwesomeTracking's default parameters.
    ///   - vendorService: The service for vendors, such as the `Tracker` of MultiTracker; `nil` counts their events.
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

public import CoreTracker
public import EventDelivery

/// The tracker of Trendyol: `CoreTracker` with the product's own services.
///
/// `TYTracker()` delivers through `DeliveryEngine.shared`; nothing is sent until the app opens that engine. Events for
/// vendors are counted and not sent, unless the app passes a vendor service.
public struct TYTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker from its services; each can be replaced.
    public init(
        firebaseService: any FirebaseService = TYFirebaseService(),
        awesomeTrackingService: any AwesomeTrackingService = TYAwesomeTrackingService(),
        vendorService: any VendorService = NoVendorService(product: "TY")
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
        settings: ProductSettings<TYSettings> = TYSettings.current,
        vendorService: (any VendorService)? = nil
    ) {
        self.init(
            firebaseService: TYFirebaseService(on: engine),
            awesomeTrackingService: TYAwesomeTrackingService(on: engine, settings: settings),
            vendorService: vendorService ?? NoVendorService(product: "TY", delivery: engine)
        )
    }
}

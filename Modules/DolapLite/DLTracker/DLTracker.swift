public import CoreTracker
public import EventTracking

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
    ///
    /// - Parameters:
    ///   - firebaseService: The service that sends Firebase events.
    ///   - awesomeTrackingService: The service that sends AwesomeTracking events.
    ///   - vendorService: The service that sends vendor events. The default counts them and sends nothing.
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
    /// The number of Dolap Lite's tracking plan, which its tool raises if a change breaks readers of the in-house table.
    public static let planNumber = 1

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
            vendorService: vendorService ?? NoVendorService(product: "DL", on: engine)
        )
    }
}

/// The Firebase service of Dolap Lite.
///
/// It adds no default parameters, because Firebase accepts at most 25 per event. Rules of
/// Dolap Lite for Firebase belong here. A product without such rules passes a `LaneService`.
public struct DLFirebaseService: FirebaseService {
    private let service: LaneService

    /// Creates a service that delivers on the lane `DL/firebase`.
    ///
    /// - Parameter engine: The engine that delivers the events.
    public init(on engine: DeliveryEngine = .shared) {
        service = LaneService(product: "DL", on: engine)
    }

    public func track(_ event: FirebaseEvent) { service.track(event) }
}

/// The AwesomeTracking service of Dolap Lite, which adds Dolap Lite's default parameters to each event.
///
/// The default parameters are ``DLSettings/awesomeTrackingDefaults``. They are read when `track(_:)` is called. If the
/// feature or the event sets the same key, its value overrides the default.
public struct DLAwesomeTrackingService: AwesomeTrackingService {
    private let service: any AwesomeTrackingService
    private let settings: ProductSettings<DLSettings>

    /// Creates a service that delivers on the lane `DL/awesomeTracking`.
    ///
    /// - Parameters:
    ///   - engine: The engine that delivers the events.
    ///   - settings: The source of the default parameters.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<DLSettings> = DLSettings.current) {
        self.init(over: LaneService(product: "DL", on: engine), settings: settings)
    }

    /// Creates a service that adds the default parameters and forwards events to another service.
    ///
    /// - Parameters:
    ///   - service: The service that receives the events. Several products can share one.
    ///   - settings: The source of the default parameters.
    public init(
        over service: any AwesomeTrackingService,
        settings: ProductSettings<DLSettings> = DLSettings.current
    ) {
        self.service = service
        self.settings = settings
    }

    public func track(_ event: AwesomeTrackingEvent) {
        var event = event
        event.defaults = settings.defaults(under: event.defaults)
        service.track(event)
    }
}

public import CoreTracker
public import EventTracking

/// The tracker of Trendyol: a `CoreTracker` with the product's services.
///
/// `TYTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it. Vendor events
/// are counted but not sent, unless the app passes a vendor service.
public struct TYTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    /// Creates a tracker from its services.
    ///
    /// Each argument replaces a default service. Firebase gets no default parameters, because it accepts at most 25 per
    /// event.
    ///
    /// - Parameters:
    ///   - firebaseService: The service that sends Firebase events.
    ///   - awesomeTrackingService: The service that sends AwesomeTracking events.
    ///   - vendorService: The service that sends vendor events. The default counts them and sends nothing.
    public init(
        firebaseService: any FirebaseService = LaneService(product: "TY"),
        awesomeTrackingService: any AwesomeTrackingService = TYAwesomeTrackingService(),
        vendorService: any VendorService = NoVendorService(product: "TY")
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

extension TYTracker {
    /// The number of Trendyol's tracking plan, which its tool raises if a change breaks readers of the in-house table.
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
        settings: ProductSettings<TYSettings> = TYSettings.current,
        vendorService: (any VendorService)? = nil
    ) {
        self.init(
            firebaseService: LaneService(product: "TY", on: engine),
            awesomeTrackingService: TYAwesomeTrackingService(on: engine, settings: settings),
            vendorService: vendorService ?? NoVendorService(product: "TY", on: engine)
        )
    }
}

/// The AwesomeTracking service of Trendyol, which adds Trendyol's default parameters to each event.
///
/// The default parameters are ``TYSettings/awesomeTrackingDefaults``. They are read when `track(_:)` is called. If the
/// feature or the event sets the same key, its value overrides the default.
public struct TYAwesomeTrackingService: AwesomeTrackingService {
    private let service: any AwesomeTrackingService
    private let settings: ProductSettings<TYSettings>

    /// Creates a service that delivers on the lane `TY/awesomeTracking`.
    ///
    /// - Parameters:
    ///   - engine: The engine that delivers the events.
    ///   - settings: The source of the default parameters.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<TYSettings> = TYSettings.current) {
        self.init(over: LaneService(product: "TY", on: engine), settings: settings)
    }

    /// Creates a service that adds the default parameters and forwards events to another service.
    ///
    /// - Parameters:
    ///   - service: The service that receives the events. Several products can share one.
    ///   - settings: The source of the default parameters.
    public init(
        over service: any AwesomeTrackingService,
        settings: ProductSettings<TYSettings> = TYSettings.current
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

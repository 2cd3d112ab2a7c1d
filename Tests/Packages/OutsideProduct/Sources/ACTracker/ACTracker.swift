public import CoreTracker
public import EventTracking

/// The tracker of Acme: a `CoreTracker` with the product's services.
///
/// `ACTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it. Vendor events
/// are counted but not sent, unless the app passes a vendor service.
public struct ACTracker: CoreTracker {
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
        firebaseService: any FirebaseService = LaneService(product: "AC"),
        awesomeTrackingService: any AwesomeTrackingService = ACAwesomeTrackingService(),
        vendorService: any VendorService = NoVendorService(product: "AC")
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

extension ACTracker {
    /// The number of Acme's tracking plan.
    ///
    /// The plan's tool raises it if a change breaks readers of the in-house table.
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
        settings: ProductSettings<ACSettings> = ACSettings.current,
        vendorService: (any VendorService)? = nil
    ) {
        self.init(
            firebaseService: LaneService(product: "AC", on: engine),
            awesomeTrackingService: ACAwesomeTrackingService(on: engine, settings: settings),
            vendorService: vendorService ?? NoVendorService(product: "AC", on: engine)
        )
    }
}

/// The AwesomeTracking service of Acme.
///
/// It adds the product's default parameters to each event: ``ACSettings/awesomeTrackingDefaults``, which are read when
/// `track(_:)` is called. If the feature or the event sets the same key, its value overrides the default.
public struct ACAwesomeTrackingService: AwesomeTrackingService {
    private let service: LaneService
    private let settings: ProductSettings<ACSettings>

    /// Creates a service that delivers on the lane `AC/awesomeTracking`.
    ///
    /// - Parameters:
    ///   - engine: The engine that delivers the events.
    ///   - settings: The source of the default parameters.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<ACSettings> = ACSettings.current) {
        service = LaneService(product: "AC", on: engine)
        self.settings = settings
    }

    public func track(_ event: AwesomeTrackingEvent) {
        service.track(event.withDefaults(settings.defaults))
    }
}

public import CoreTracker
public import EventTracking

/// The tracker of Starfield: a `CoreTracker` with the product's services.
///
/// Starfield has no service type of its own: a `ServiceWithDefaults` adds ``SFSettings/awesomeTrackingDefaults`` to
/// each AwesomeTracking event when it is tracked. If the feature or the event sets the same key, its value overrides
/// the default.
///
/// `SFTracker()` delivers through `DeliveryEngine.shared`, which sends nothing until the app opens it. Vendor events
/// are counted but not sent, unless the app passes a vendor service.
public struct SFTracker: CoreTracker {
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
        firebaseService: any FirebaseService = LaneService(product: "SF"),
        awesomeTrackingService: any AwesomeTrackingService = ServiceWithDefaults(
            LaneService(product: "SF"),
            defaults: SFSettings.current.defaults(under:)
        ),
        vendorService: any VendorService = NoVendorService(product: "SF")
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

extension SFTracker {
    /// The number of Starfield's tracking plan, which its tool raises if a change breaks readers of the in-house table.
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
        settings: ProductSettings<SFSettings> = SFSettings.current,
        vendorService: (any VendorService)? = nil
    ) {
        self.init(
            firebaseService: LaneService(product: "SF", on: engine),
            awesomeTrackingService: ServiceWithDefaults(
                LaneService(product: "SF", on: engine),
                defaults: settings.defaults(under:)
            ),
            vendorService: vendorService ?? NoVendorService(product: "SF", on: engine)
        )
    }
}

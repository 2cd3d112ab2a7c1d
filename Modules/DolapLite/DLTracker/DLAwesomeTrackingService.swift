public import CoreTracker
public import EventBuffer

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
        self.init(over: LaneService(product: "DL", delivery: engine), settings: settings)
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

extension DLSettings {
    /// The default parameters that every Dolap Lite event has in AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters {
        [
            .channel(channel), .productID("DL"), .storefront(storefront.country), .currency(storefront.currency),
            .language(storefront.language), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}

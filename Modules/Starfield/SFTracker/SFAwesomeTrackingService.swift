public import CoreTracker
public import EventBuffer

/// The AwesomeTracking service of Starfield, which adds Starfield's default parameters to each event.
///
/// The default parameters are ``SFSettings/awesomeTrackingDefaults``. They are read when `track(_:)` is called. If the
/// feature or the event sets the same key, its value overrides the default.
public struct SFAwesomeTrackingService: AwesomeTrackingService {
    private let service: any AwesomeTrackingService
    private let settings: ProductSettings<SFSettings>

    /// Creates a service that delivers on the lane `SF/awesomeTracking`.
    ///
    /// - Parameters:
    ///   - engine: The engine that delivers the events.
    ///   - settings: The source of the default parameters.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<SFSettings> = SFSettings.current) {
        self.init(over: LaneService(product: "SF", delivery: engine), settings: settings)
    }

    /// Creates a service that adds the default parameters and forwards events to another service.
    ///
    /// - Parameters:
    ///   - service: The service that receives the events. Several products can share one.
    ///   - settings: The source of the default parameters.
    public init(
        over service: any AwesomeTrackingService,
        settings: ProductSettings<SFSettings> = SFSettings.current
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

extension SFSettings {
    /// The default parameters that every Starfield event has in AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters {
        [
            .channel("starfield"), .productID("SF"), .mode(mode), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}

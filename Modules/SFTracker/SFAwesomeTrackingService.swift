import AwesomeTracking
public import CoreTracker
public import EventDelivery

/// AwesomeTracking for Starfield: adds Starfield's default parameters to each event.
///
/// The parameters are below, in ``SFSettings/awesomeTrackingDefaults``. They have the values of the moment of `track`;
/// the parameters of a feature and those of the event win over them.
public struct SFAwesomeTrackingService: AwesomeTrackingService {
    private let service: any AwesomeTrackingService
    private let settings: ProductSettings<SFSettings>

    /// Creates the service on the lane `SF/awesomeTracking` of an engine.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<SFSettings> = SFSettings.current) {
        self.init(over: LaneService(product: "SF", delivery: engine), settings: settings)
    }

    /// Creates the service over one that products share.
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
    /// The default parameters of every event of Starfield at AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters {
        [
            .channel("starfield"), .productID("SF"), .mode(mode), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}

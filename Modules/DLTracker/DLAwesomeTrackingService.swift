import AwesomeTracking
public import CoreTracker
public import EventDelivery

/// AwesomeTracking for Dolap Lite: adds Dolap Lite's default parameters to each event.
///
/// The parameters are below, in ``DLSettings/awesomeTrackingDefaults``. They have the values of the moment of `track`;
/// the parameters of a feature and those of the event win over them.
public struct DLAwesomeTrackingService: AwesomeTrackingService {
    private let service: any AwesomeTrackingService
    private let settings: ProductSettings<DLSettings>

    /// Creates the service on the lane `DL/awesomeTracking` of an engine.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<DLSettings> = DLSettings.current) {
        self.init(over: LaneService(product: "DL", delivery: engine), settings: settings)
    }

    /// Creates the service over one that products share.
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
    /// The default parameters of every event of Dolap Lite at AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters {
        [
            .channel(channel), .productID("DL"), .storefront(storefront.country), .currency(storefront.currency),
            .language(storefront.language), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}

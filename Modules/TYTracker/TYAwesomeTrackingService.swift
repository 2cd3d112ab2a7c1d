import AwesomeTracking
public import CoreTracker
public import EventDelivery

/// AwesomeTracking for Trendyol: adds Trendyol's default parameters to each event.
///
/// The parameters are below, in ``TYSettings/awesomeTrackingDefaults``. They have the values of the moment of `track`;
/// the parameters of a feature and those of the event win over them.
public struct TYAwesomeTrackingService: AwesomeTrackingService {
    private let service: any AwesomeTrackingService
    private let settings: ProductSettings<TYSettings>

    /// Creates the service on the lane `TY/awesomeTracking` of an engine.
    public init(on engine: DeliveryEngine = .shared, settings: ProductSettings<TYSettings> = TYSettings.current) {
        self.init(over: LaneService(product: "TY", delivery: engine), settings: settings)
    }

    /// Creates the service over one that products share.
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

extension TYSettings {
    /// The default parameters of every event of Trendyol at AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters {
        [
            .channel(channel), .productID("TY"), .storefront(storefront.country), .storefrontID(storefront.id),
            .currency(storefront.currency), .language(storefront.language), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}

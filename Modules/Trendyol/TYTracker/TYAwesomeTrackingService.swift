public import CoreTracker
public import EventBuffer

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
        self.init(over: LaneService(product: "TY", delivery: engine), settings: settings)
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

extension TYSettings {
    /// The default parameters that every Trendyol event has in AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters {
        [
            .channel(channel), .productID("TY"), .storefront(storefront.country), .storefrontID(storefront.id),
            .currency(storefront.currency), .language(storefront.language), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}

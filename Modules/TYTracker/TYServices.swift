public import CoreTracker
public import EventDelivery

/// The services of Trendyol on a delivery engine, by default the app's own.
public enum TYServices {
    /// Firebase: the lane `TY/firebase`, without defaults, for Firebase takes few parameters.
    public static func firebase(on delivery: DeliveryEngine = .shared) -> some FirebaseService {
        LaneService(product: "TY", delivery: delivery)
    }

    /// AwesomeTracking: the lane `TY/awesomeTracking`, with the defaults that follow from the settings.
    public static func awesomeTracking(
        on delivery: DeliveryEngine = .shared,
        settings: ProductSettings<TYSettings> = TYSettings.current
    ) -> some AwesomeTrackingService {
        awesomeTracking(over: LaneService(product: "TY", delivery: delivery), settings: settings)
    }

    /// AwesomeTracking over a service that products share, with the defaults that follow from the settings.
    public static func awesomeTracking(
        over service: some AwesomeTrackingService,
        settings: ProductSettings<TYSettings> = TYSettings.current
    ) -> some AwesomeTrackingService {
        ScopedService(service) { settings.defaults(under: $0) }
    }

    /// The vendors: each vendor's lane, such as `TY/braze`.
    public static func vendors(on delivery: DeliveryEngine = .shared) -> some VendorService {
        LaneService(product: "TY", delivery: delivery)
    }
}

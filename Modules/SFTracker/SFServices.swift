public import CoreTracker
public import EventDelivery

/// The services of Starfield on a delivery engine, by default the app's own.
public enum SFServices {
    /// Firebase: the lane `SF/firebase`, without defaults, for Firebase takes few parameters.
    public static func firebase(on delivery: DeliveryEngine = .shared) -> some FirebaseService {
        LaneService(product: "SF", delivery: delivery)
    }

    /// AwesomeTracking: the lane `SF/awesomeTracking`, with the defaults that follow from the settings.
    public static func awesomeTracking(
        on delivery: DeliveryEngine = .shared,
        settings: ProductSettings<SFSettings> = SFSettings.current
    ) -> some AwesomeTrackingService {
        awesomeTracking(over: LaneService(product: "SF", delivery: delivery), settings: settings)
    }

    /// AwesomeTracking over a service that products share, with the defaults that follow from the settings.
    public static func awesomeTracking(
        over service: some AwesomeTrackingService,
        settings: ProductSettings<SFSettings> = SFSettings.current
    ) -> some AwesomeTrackingService {
        ScopedService(service) { settings.defaults(under: $0) }
    }

    /// The vendors: each vendor's lane, such as `SF/braze`.
    public static func vendors(on delivery: DeliveryEngine = .shared) -> some VendorService {
        LaneService(product: "SF", delivery: delivery)
    }
}

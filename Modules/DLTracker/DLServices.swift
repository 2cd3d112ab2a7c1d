public import CoreTracker
public import EventDelivery

/// The services of Dolap Lite on a delivery engine, by default the app's own.
public enum DLServices {
    /// Firebase: the lane `DL/firebase`, without defaults, for Firebase takes few parameters.
    public static func firebase(on delivery: DeliveryEngine = .shared) -> some FirebaseService {
        LaneService(product: "DL", delivery: delivery)
    }

    /// AwesomeTracking: the lane `DL/awesomeTracking`, with the defaults that follow from the settings.
    public static func awesomeTracking(
        on delivery: DeliveryEngine = .shared,
        settings: ProductSettings<DLSettings> = DLSettings.current
    ) -> some AwesomeTrackingService {
        awesomeTracking(over: LaneService(product: "DL", delivery: delivery), settings: settings)
    }

    /// AwesomeTracking over a service that products share, with the defaults that follow from the settings.
    public static func awesomeTracking(
        over service: some AwesomeTrackingService,
        settings: ProductSettings<DLSettings> = DLSettings.current
    ) -> some AwesomeTrackingService {
        ScopedService(service) { settings.defaults(under: $0) }
    }

    /// The vendors: each vendor's lane, such as `DL/braze`.
    public static func vendors(on delivery: DeliveryEngine = .shared) -> some VendorService {
        LaneService(product: "DL", delivery: delivery)
    }
}

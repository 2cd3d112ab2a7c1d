import AwesomeTracking
public import CoreTracker
public import EventDelivery

/// AwesomeTracking as Trendyol uses it: the shared client on the lane `TY/awesomeTracking`, with its own defaults.
public struct TYAwesomeTrackingService: AwesomeTrackingService {
    private let client: AwesomeTrackingClient

    /// Creates the service on a delivery engine, by default the app's own.
    ///
    /// `storefront` is asked inside each `track`, on the caller's thread, so an event carries the storefront of its
    /// moment. It answers quickly and does not track.
    public init(
        delivery: DeliveryEngine = .shared,
        storefront: @escaping @Sendable () -> TYStorefront = { .turkey }
    ) {
        client = AwesomeTrackingClient(product: "TY", delivery: delivery) {
            TYAwesomeTrackingService.defaults(in: storefront())
        }
    }

    public func track(_ event: AwesomeTrackingEvent) {
        client.track(event)
    }

    /// The parameters of every event of Trendyol; an event's own win over them.
    static func defaults(in storefront: TYStorefront) -> EventParameters {
        [
            .channel("trendyol"), .productID("TY"), .storefront(storefront.country), .storefrontID(storefront.id),
            .currency(storefront.currency), .language(storefront.language), .platform(AwesomeTrackingClient.platform),
        ]
    }
}

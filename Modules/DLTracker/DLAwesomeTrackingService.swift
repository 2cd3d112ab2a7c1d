import AwesomeTracking
public import CoreTracker
public import EventDelivery

/// AwesomeTracking as Dolap Lite uses it: the shared client on the lane `DL/awesomeTracking`, with its own defaults.
public struct DLAwesomeTrackingService: AwesomeTrackingService {
    private let client: AwesomeTrackingClient

    /// Creates the service on a delivery engine, by default the app's own.
    ///
    /// `storefront` is asked inside each `track`, on the caller's thread, so an event carries the storefront of its
    /// moment. It answers quickly and does not track.
    public init(
        delivery: DeliveryEngine = .shared,
        storefront: @escaping @Sendable () -> DLStorefront = { .turkey }
    ) {
        client = AwesomeTrackingClient(product: "DL", delivery: delivery) {
            DLAwesomeTrackingService.defaults(in: storefront())
        }
    }

    public func track(_ event: AwesomeTrackingEvent) {
        client.track(event)
    }

    /// The parameters of every event of Dolap Lite; an event's own win over them.
    package static func defaults(in storefront: DLStorefront) -> EventParameters {
        [
            .channel("dolap_lite"), .productID("DL"), .storefront(storefront.country), .currency(storefront.currency),
            .language(storefront.language), .platform(AwesomeTrackingClient.platform),
        ]
    }
}

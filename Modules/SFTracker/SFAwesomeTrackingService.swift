import AwesomeTracking
public import CoreTracker
public import EventDelivery

/// AwesomeTracking as Starfield uses it: the shared client on the lane `SF/awesomeTracking`, with its own defaults.
public struct SFAwesomeTrackingService: AwesomeTrackingService {
    private let client: AwesomeTrackingClient

    /// Creates the service on a delivery engine, by default the app's own.
    ///
    /// `mode` is asked inside each `track`, on the caller's thread, so an event carries the mode of its moment. It
    /// answers quickly and does not track.
    public init(
        delivery: DeliveryEngine = .shared,
        mode: @escaping @Sendable () -> SFMode = { .keyboard }
    ) {
        client = AwesomeTrackingClient(product: "SF", delivery: delivery) {
            SFAwesomeTrackingService.defaults(in: mode())
        }
    }

    public func track(_ event: AwesomeTrackingEvent) {
        client.track(event)
    }

    /// The parameters of every event of Starfield; an event's own win over them.
    static func defaults(in mode: SFMode) -> EventParameters {
        [
            .channel("starfield"), .productID("SF"), .mode(mode), .platform(AwesomeTrackingClient.platform),
        ]
    }
}

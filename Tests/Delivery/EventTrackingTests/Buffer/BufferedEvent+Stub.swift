import CoreTracker
import EventDeliveryTesting

@testable import EventTracking

extension BufferedEvent {
    /// Returns an event with default values.
    static func stub(
        id: EventID,
        lane: Int = 0,
        durability: TrackOptions.Durability = .durable,
        priority: TrackOptions.Priority = .normal
    ) -> BufferedEvent {
        BufferedEvent(
            lane: lane,
            options: TrackOptions(durability: durability, priority: priority),
            id: id,
            number: 0,
            time: Timestamp(microseconds: 1_772_359_200_000_000),
            identity: FrozenIdentity(.stub()),
            name: "viewed",
            parameters: [:],
            defaults: [:],
            receipt: nil
        )
    }
}

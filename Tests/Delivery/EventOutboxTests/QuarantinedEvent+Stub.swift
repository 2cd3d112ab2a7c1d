import CoreTracker
import EventTracking

@testable import EventOutbox

extension QuarantinedEvent {
    /// Returns a quarantined event with default values.
    static func stub(
        _ id: EventID,
        lane: LaneID = LaneID(product: "T", service: "lines"),
        user: UserHash? = .nobody,
        decision: UInt64 = 0,
        time: Int = 9
    ) -> QuarantinedEvent {
        QuarantinedEvent(
            id: id,
            lane: lane,
            reason: "status 400",
            response: "no",
            time: Timestamp(microseconds: Int64(time)),
            fragment: [UInt8(truncatingIfNeeded: id.low)],
            key: "k",
            user: user,
            decision: decision
        )
    }
}

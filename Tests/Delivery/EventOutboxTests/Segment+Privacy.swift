import EventDeliveryTesting
import EventTracking

@testable import EventOutbox

extension Segment {
    /// Returns a segment with two events of a user, which were tracked after a decision.
    static func stub(lane: Int = 1, number: Int, user: UInt64 = 0, decision: UInt64) -> Segment {
        var segment = Segment.stub(lane: lane, number: Int64(number))
        (segment.user, segment.decision) = (UserHash(rawValue: user), decision)
        return segment
    }
}

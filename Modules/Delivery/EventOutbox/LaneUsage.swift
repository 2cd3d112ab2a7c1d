import CoreTracker
import EventBuffer

/// The number and size of a lane's stored events.
package struct LaneUsage: Sendable, Equatable {
    /// The numbers of deliverable events, indexed by the raw value of their priority.
    package var events: [Int] = [0, 0, 0]
    /// The size of the deliverable records in bytes.
    package var bytes = 0
    /// The number of events that wait for consent.
    package var heldEvents = 0
    /// The size of the records that wait for consent, in bytes.
    package var heldBytes = 0
    /// The time at which the oldest deliverable segment was stored.
    package var oldest: StoredMoment?

    package init() {}

    /// The number of deliverable events of all priorities.
    package var totalEvents: Int { events.reduce(0) { $0.saturatingAdd($1) } }

    /// Whether every number is plausible.
    ///
    /// Implausible numbers count as damage.
    package var isPossible: Bool {
        (events + [bytes, heldEvents, heldBytes]).allSatisfy((0...LaneLedger.maximumCount).contains)
    }

    /// Adds a deliverable segment, or subtracts it if `sign` is -1.
    package mutating func count(_ segment: SegmentSummary, sign: Int) {
        let priority = segment.priority.rawValue
        events[priority] = events[priority].saturatingAdd(sign.saturatingMultiply(segment.count))
        bytes = bytes.saturatingAdd(sign.saturatingMultiply(segment.bytes))
    }

    /// Adds a segment that waits for consent, or subtracts it if `sign` is -1.
    package mutating func countHeld(_ segment: SegmentSummary, sign: Int) {
        heldEvents = heldEvents.saturatingAdd(sign.saturatingMultiply(segment.count))
        heldBytes = heldBytes.saturatingAdd(sign.saturatingMultiply(segment.bytes))
    }

    /// Counts all held events as deliverable with normal priority.
    ///
    /// Only their segments contain the actual priorities.
    package mutating func grant() {
        let normal = TrackOptions.Priority.normal.rawValue
        events[normal] = events[normal].saturatingAdd(heldEvents)
        bytes = bytes.saturatingAdd(heldBytes)
        (heldEvents, heldBytes) = (0, 0)
    }
}

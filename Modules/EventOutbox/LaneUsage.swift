import CoreTracker
import EventBuffer

/// What a lane stores.
package struct LaneUsage: Sendable, Equatable {
    /// Deliverable events by priority, indexed by its raw value.
    package var events: [Int] = [0, 0, 0]
    /// Bytes of deliverable records.
    package var bytes = 0
    /// Events that wait for consent.
    package var heldEvents = 0
    /// Bytes of records that wait for consent.
    package var heldBytes = 0
    /// When the oldest deliverable pack was stored.
    package var oldest: StoredMoment?

    package init() {}

    /// Deliverable events of all priorities.
    package var totalEvents: Int { events.reduce(0) { $0.saturatingAdd($1) } }

    /// Whether every number is one that a lane can have reached.
    package var isPossible: Bool {
        (events + [bytes, heldEvents, heldBytes]).allSatisfy((0...LaneLedger.most).contains)
    }

    /// Adds a deliverable pack, or with the sign -1 takes it out.
    package mutating func count(_ pack: PackSummary, sign: Int) {
        let priority = pack.priority.rawValue
        events[priority] = events[priority].saturatingAdd(sign.saturatingMultiply(pack.count))
        bytes = bytes.saturatingAdd(sign.saturatingMultiply(pack.bytes))
    }

    /// Adds a pack that waits for consent, or with the sign -1 takes it out.
    package mutating func countHeld(_ pack: PackSummary, sign: Int) {
        heldEvents = heldEvents.saturatingAdd(sign.saturatingMultiply(pack.count))
        heldBytes = heldBytes.saturatingAdd(sign.saturatingMultiply(pack.bytes))
    }

    /// Counts all held events as deliverable; they count as normal, because only their packs tell their priorities.
    package mutating func grant() {
        let normal = TrackOptions.Priority.normal.rawValue
        events[normal] = events[normal].saturatingAdd(heldEvents)
        bytes = bytes.saturatingAdd(heldBytes)
        (heldEvents, heldBytes) = (0, 0)
    }
}

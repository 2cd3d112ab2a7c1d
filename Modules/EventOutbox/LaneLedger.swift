/// The books of one lane: every event that was accepted is in exactly one of the other columns.
///
/// `accepted = delivered + pending + quarantined + Σ dropped` holds at every moment, across restarts.
public struct LaneLedger: Sendable, Hashable {
    /// Events that the lane has taken or had to refuse.
    public package(set) var accepted = 0
    /// Events that the receiver has acknowledged.
    public package(set) var delivered = 0
    /// Events that a receiver refused and that are kept for inspection.
    public package(set) var quarantined = 0
    /// Lost events by reason.
    public package(set) var dropped: [DropReason: Int] = [:]
    /// Events that were sent otherwise than they were tracked, by the repair's rule; they are counted elsewhere too.
    public package(set) var repaired: [String: Int] = [:]

    /// Creates empty books.
    public init() {}

    /// Events that are still on their way.
    public var pending: Int { accepted - delivered - quarantined - droppedTotal }

    /// Lost events of all reasons.
    public var droppedTotal: Int { dropped.values.reduce(0, +) }

    package mutating func drop(_ count: Int, _ reason: DropReason) {
        if count > 0 { dropped[reason, default: 0] += count }
    }

    package mutating func add(_ other: LaneLedger) {
        accepted += other.accepted
        delivered += other.delivered
        quarantined += other.quarantined
        dropped.merge(other.dropped, uniquingKeysWith: +)
        repaired.merge(other.repaired, uniquingKeysWith: +)
    }

    /// Makes the books agree with what was found: what is missing is counted as damaged, what they do not know as
    /// accepted.
    ///
    /// Answers how many events are missing.
    @discardableResult
    package mutating func agree(pending found: Int, quarantined refused: Int) -> Int {
        quarantined = refused
        let missing = pending - found
        drop(missing, .corrupted)
        if missing < 0 { accepted -= missing }
        return max(0, missing)
    }

    /// The books of what happened after an earlier state of them; pending events of then count as carried over.
    package func since(_ earlier: LaneLedger) -> LaneLedger {
        var difference = self
        difference.accepted -= earlier.accepted
        difference.delivered -= earlier.delivered
        difference.quarantined -= earlier.quarantined
        for (reason, count) in earlier.dropped { difference.dropped[reason, default: 0] -= count }
        for (rule, count) in earlier.repaired { difference.repaired[rule, default: 0] -= count }
        difference.dropped = difference.dropped.filter { $0.value != 0 }
        difference.repaired = difference.repaired.filter { $0.value != 0 }
        return difference
    }
}

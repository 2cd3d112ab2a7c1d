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

    /// The largest count that is believed: far beyond what a device can track, and far from the end of the range.
    package static let most = Int.max >> 6

    /// Events that are still on their way.
    public var pending: Int {
        accepted.saturatingSubtract(delivered).saturatingSubtract(quarantined).saturatingSubtract(droppedTotal)
    }

    /// Lost events of all reasons.
    public var droppedTotal: Int { dropped.values.reduce(0) { $0.saturatingAdd($1) } }

    /// Whether every count is one that a lane can have reached.
    package var isPossible: Bool {
        let counts = [accepted, delivered, quarantined] + dropped.values + repaired.values
        return counts.allSatisfy((0...LaneLedger.most).contains)
    }

    package mutating func drop(_ count: Int, _ reason: DropReason) {
        if count > 0 { dropped[reason] = (dropped[reason] ?? 0).saturatingAdd(count) }
    }

    package mutating func add(_ other: LaneLedger) {
        accepted = accepted.saturatingAdd(other.accepted)
        delivered = delivered.saturatingAdd(other.delivered)
        quarantined = quarantined.saturatingAdd(other.quarantined)
        dropped.merge(other.dropped) { $0.saturatingAdd($1) }
        repaired.merge(other.repaired) { $0.saturatingAdd($1) }
    }

    /// Makes the books agree with what was found: what is missing is counted as damaged, what they do not know as
    /// accepted.
    ///
    /// Answers how many events are missing.
    @discardableResult
    package mutating func agree(pending found: Int, quarantined refused: Int) -> Int {
        quarantined = refused
        let missing = pending.saturatingSubtract(found)
        drop(missing, .corrupted)
        if missing < 0 { accepted = accepted.saturatingSubtract(missing) }
        return max(0, missing)
    }

    /// The books of what happened after an earlier state of them; pending events of then count as carried over.
    package func since(_ earlier: LaneLedger) -> LaneLedger {
        var difference = self
        difference.accepted = accepted.saturatingSubtract(earlier.accepted)
        difference.delivered = delivered.saturatingSubtract(earlier.delivered)
        difference.quarantined = quarantined.saturatingSubtract(earlier.quarantined)
        difference.dropped.merge(earlier.dropped.mapValues { 0.saturatingSubtract($0) }) { $0.saturatingAdd($1) }
        difference.repaired.merge(earlier.repaired.mapValues { 0.saturatingSubtract($0) }) { $0.saturatingAdd($1) }
        difference.dropped = difference.dropped.filter { $0.value != 0 }
        difference.repaired = difference.repaired.filter { $0.value != 0 }
        return difference
    }
}

import CoreTracker
import EventDelivery

/// How one lane has done in this run.
struct LaneResult: Sendable, Equatable {
    /// The lane's name.
    let id: LaneID
    /// Events that this run has tracked.
    let accepted: Int
    /// Events that have arrived in this run, those of earlier runs included.
    let delivered: Int
    /// Events that are still on their way.
    let pending: Int
    /// Events that a receiver refused in this run and that are kept.
    let quarantined: Int
    /// Events that were lost in this run, by reason.
    let dropped: [String: Int]
    /// Events that were sent otherwise than they were tracked, by rule.
    let repaired: [String: Int]
    /// Events that an earlier run had left.
    let carriedOver: Int
    /// Why the lane does not go on; `nil` when it does.
    let hindrance: String?

    /// Whether all that was tracked now, and all that was left earlier, has arrived.
    var isComplete: Bool { accepted + carriedOver == delivered }

    /// Whether the lane had and has nothing.
    var isIdle: Bool { accepted + carriedOver + pending + quarantined + droppedTotal == 0 }

    /// Lost events of all reasons.
    var droppedTotal: Int { dropped.values.reduce(0, +) }

    /// Reads a lane's books.
    init(_ statistics: LaneStatistics) {
        let ledger = statistics.ledgerSinceOpening
        id = statistics.id
        accepted = ledger.accepted
        delivered = ledger.delivered
        pending = statistics.ledger.pending
        quarantined = ledger.quarantined
        dropped = Dictionary(ledger.dropped.map { ($0.key.name, $0.value) }) { first, _ in first }
        repaired = ledger.repaired
        carriedOver = statistics.carriedOver
        hindrance = statistics.explanation
    }
}

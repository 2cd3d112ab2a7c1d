import CoreTracker
import EventDelivery

/// The result of one lane in this run.
struct LaneResult: Sendable, Equatable {
    /// The lane's name.
    let id: LaneID
    /// The number of events that this run has tracked.
    let accepted: Int
    /// The number of events that were delivered in this run, including events of earlier runs.
    let delivered: Int
    /// The number of pending events.
    let pending: Int
    /// The number of events that a receiver refused in this run.
    let quarantined: Int
    /// The number of events that were lost in this run, by reason.
    let dropped: [String: Int]
    /// The number of events that were adjusted before sending, by rule.
    let adjusted: [String: Int]
    /// The number of events that an earlier run had left.
    let pendingAtOpen: Int
    /// The reason for which the lane does not send, if any.
    let hindrance: String?

    /// Whether all events of this run and of earlier runs were delivered.
    var isComplete: Bool { accepted + pendingAtOpen == delivered }

    /// Whether the lane had no events and has none.
    var isIdle: Bool { accepted + pendingAtOpen + pending + quarantined + droppedTotal == 0 }

    /// The number of events that were lost in this run, for all reasons.
    var droppedTotal: Int { dropped.values.reduce(0, +) }

    /// Reads the ledger of a lane.
    init(_ statistics: LaneStatistics) {
        let ledger = statistics.ledgerSinceOpening
        id = statistics.id
        accepted = ledger.accepted
        delivered = ledger.delivered
        pending = statistics.ledger.pending
        quarantined = ledger.quarantined
        dropped = Dictionary(ledger.dropped.map { ($0.key.name, $0.value) }) { first, _ in first }
        adjusted = ledger.adjusted
        pendingAtOpen = statistics.pendingAtOpen
        hindrance = statistics.explanation
    }
}

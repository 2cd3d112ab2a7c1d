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
    init(_ statistics: LaneStatistics, outcome: FlushReport.Outcome?, failure: String?) {
        let ledger = statistics.ledgerSinceOpening
        id = statistics.id
        accepted = ledger.accepted
        delivered = ledger.delivered
        pending = statistics.ledger.pending
        quarantined = ledger.quarantined
        dropped = Dictionary(ledger.dropped.map { ($0.key.name, $0.value) }) { first, _ in first }
        repaired = ledger.repaired
        carriedOver = statistics.carriedOver
        hindrance = LaneResult.hindrance(statistics, outcome, failure)
    }

    private static func hindrance(
        _ statistics: LaneStatistics,
        _ outcome: FlushReport.Outcome?,
        _ failure: String?
    ) -> String? {
        if let reason = statistics.pauseReason { return "paused: \(text(of: reason))" }
        switch outcome {
        case .unserved: return "no receiver is configured for this lane"
        case .withoutConsent: return "the user has not agreed"
        default:
            // The ledger's own memory of the failure is there before the news of it has been heard.
            let cause = failure ?? statistics.lastFailure.map { EngineNews.readable($0.code) }
            return cause.map { "the last attempt failed: \($0)" }
        }
    }

    private static func text(of reason: PauseReason) -> String {
        switch reason {
        case .credentials: "the receiver refuses the credentials"
        case .endpoint: "there is no such end point"
        case .intercepted: "somebody else answers: a redirect or a page"
        case .trust: "the receiver's certificate is not trusted"
        case .protocolMismatch: "the receiver does not speak this protocol"
        }
    }
}

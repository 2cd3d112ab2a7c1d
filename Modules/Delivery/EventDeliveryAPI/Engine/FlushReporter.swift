import CoreTracker
import Locks

/// A producer of flush reports from the published ledgers.
///
/// It never waits.
package final class FlushReporter: Sendable {
    private let buffer: EventBuffer
    /// Each lane's ledger at its last report, counted from when the engine was opened.
    private let reported = Mutex<[LaneID: LaneLedger]>([:])

    package init(buffer: EventBuffer) {
        self.buffer = buffer
    }

    /// Creates the report of a flush.
    ///
    /// - Parameters:
    ///   - ticket: The flush, or `nil` if the engine is not open.
    ///   - isOpen: Whether the engine is open.
    package func report(_ ticket: FlushTicket?, isOpen: Bool = true) -> FlushReport {
        let targets = ticket?.targets
        return reported.withLock { reported in
            let lanes = buffer.ledgers.enumerated().map { index, lane in
                let present = lane.ledger.since(lane.status.opening)
                let news = present.since(reported[lane.id] ?? LaneLedger())
                reported[lane.id] = present
                return FlushReport.Lane(
                    id: lane.id,
                    outcome: lane.status.outcome(
                        target: targets?[index],
                        isOpen: isOpen,
                        deadline: ticket?.deadline ?? MonotonicInstant(nanoseconds: .max)
                    ),
                    accepted: news.accepted,
                    delivered: news.delivered,
                    pending: lane.ledger.pending,
                    quarantined: lane.ledger.quarantined,
                    dropped: news.dropped
                )
            }
            return FlushReport(lanes: lanes.sorted(by: \.id))
        }
    }
}

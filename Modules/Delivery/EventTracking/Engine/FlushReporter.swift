import CoreTracker
package import Locks

/// A flush, for which a caller waits.
package final class Flush: Sendable {
    package let deadline: Deadline
    /// The sequence numbers below which events must be settled, by the index of each lane with events.
    ///
    /// It is `nil` until the events tracked before the call are stored.
    package let targets = Mutex<[Int: Int64]?>(nil)

    package init(_ deadline: Deadline) {
        self.deadline = deadline
    }
}

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
    ///   - flush: The flush, or `nil` if the engine is not open.
    ///   - isOpen: Whether the engine is open.
    package func report(_ flush: Flush?, isOpen: Bool = true) -> FlushReport {
        let targets = flush?.targets.withLock { $0 }
        return reported.withLock { reported in
            let lanes = buffer.ledgers.enumerated().map { index, lane in
                let present = lane.ledger.since(lane.status.opening)
                let news = present.since(reported[lane.id] ?? LaneLedger())
                reported[lane.id] = present
                return FlushReport.Lane(
                    id: lane.id,
                    outcome: lane.status.outcome(
                        target: targets.map { $0[index] ?? .min },
                        isOpen: isOpen,
                        deadline: flush?.deadline.instant ?? MonotonicInstant(nanoseconds: .max)
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

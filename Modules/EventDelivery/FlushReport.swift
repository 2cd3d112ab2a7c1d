public import CoreTracker
import Locks

/// What has become of events since the last report, lane by lane.
///
/// For each lane `carriedOver + accepted = delivered + pending + quarantined + Σ lost`. A report ends where the
/// next one begins: events that another flush has reported are not reported again.
public struct FlushReport: Sendable, Hashable {
    /// How a lane stands at the end of a flush.
    public enum Outcome: Sendable, Hashable {
        /// Everything that was tracked before the flush has been delivered or counted.
        case drained
        /// The deadline passed before everything was delivered; the rest is stored.
        case deadlinePassed
        /// The lane waits out a passing fault or its receiver's `Retry-After` beyond the deadline; the rest is stored.
        case waiting
        /// Sending is useless for now; the rest is stored.
        case paused(PauseReason)
        /// The user has not agreed yet, or has refused; what may be kept is stored.
        case withoutConsent
        /// The engine is not open, or no destination serves the lane.
        case unserved
    }

    /// One lane.
    public struct Lane: Sendable, Hashable {
        /// The lane's name.
        public let id: LaneID
        /// How it stands.
        public let outcome: Outcome
        /// Events that the lane has taken or had to refuse since the last report.
        public let accepted: Int
        /// Events that have been delivered since the last report.
        public let delivered: Int
        /// Pending events as in `LaneLedger.pending`, including those tracked during the flush.
        public let pending: Int
        /// Events that their receiver refused and that are kept for inspection.
        public let quarantined: Int
        /// Events that have been lost since the last report, by reason.
        public let lost: [DropReason: Int]

        /// Events that were on their way or in quarantine at the last report, or were taken over from an ended process.
        ///
        /// Below zero where another process has taken over events of this one while the storage was suspended.
        public var carriedOver: Int { delivered + pending + quarantined + lostTotal - accepted }

        /// Events that have been lost since the last report, of all reasons.
        public var lostTotal: Int { lost.values.reduce(0, +) }
    }

    /// All lanes, in order of their names.
    public let lanes: [Lane]

    /// Whether every lane has delivered or counted all that was tracked before the flush; ``Lane/lost`` says what of it
    /// was counted as lost.
    public var isDrained: Bool { lanes.allSatisfy { $0.outcome == .drained } }

    /// Events of all lanes that have been lost since the last report.
    public var lostTotal: Int { lanes.reduce(0) { $0 + $1.lostTotal } }
}

/// Makes one report after the other, from what the store has published; it waits for nobody.
final class FlushReporter: Sendable {
    private let intake: Intake
    /// What each lane's ledger said at the last report, since its opening.
    private let reported = Mutex<[LaneID: LaneLedger]>([:])

    init(intake: Intake) {
        self.intake = intake
    }

    /// The report of a flush; without a ticket that of an engine that is not open.
    func report(_ ticket: FlushTicket?, isOpen: Bool = true) -> FlushReport {
        let targets = ticket?.targets
        return reported.withLock { reported in
            let lanes = intake.ledgers.enumerated().map { index, lane in
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
                    lost: news.dropped
                )
            }
            return FlushReport(lanes: lanes.sorted { $0.id < $1.id })
        }
    }
}

package import CoreTracker

/// What an outbox keeps of a lane beside its packs.
package struct StoredLane: Sendable, Equatable {
    /// The lane's number in this outbox, from 1.
    package var number: Int
    package var id: LaneID
    /// The purpose that the lane's events were tracked for, by its name; empty while none is known.
    package var purpose = ""
    package var ledger: LaneLedger
    /// The number of the next event that is stored.
    package var nextNumber: Int64
    /// The body limit learnt from a receiver's 413, or 0.
    package var learnedBodyBytes: Int
    /// The wait that a restart must not shorten.
    package var gate: StoredGate
    /// When the receiver last acknowledged a batch.
    package var lastSuccess: Timestamp?
    /// What went wrong last; `nil` once the receiver has acknowledged a batch since.
    package var lastFailure: StoredFailure?
    /// Whether the row was damaged, so that nothing of it can be trusted but, with luck, its number and its name.
    package var isDamaged = false

    package init(number: Int, id: LaneID) {
        self.number = number
        self.id = id
        ledger = LaneLedger()
        nextNumber = 1
        learnedBodyBytes = 0
        gate = StoredGate()
        lastSuccess = nil
    }
}

extension StoredLane {
    /// The most lanes that an outbox has; those of a file beyond it are damage.
    package static let most = 1_024
    /// The numbers that a lane can have; any other is damage.
    static let numbers = 1..<(1 << 22)
    /// The longest wait that is believed: ten years.
    private static let longestWait: Duration = .seconds(315_360_000)

    /// Whether every number that events depend on is one that a lane can have.
    package var isPossible: Bool {
        StoredLane.numbers.contains(number) && (1...PackPlace.lastNumber).contains(nextNumber) && ledger.isPossible
    }

    /// Brings the numbers that only delay or limit into their range.
    mutating func clamp() {
        learnedBodyBytes = min(max(0, learnedBodyBytes), 1 << 30)
        gate.remaining = min(max(.zero, gate.remaining), StoredLane.longestWait)
        gate.failures = min(max(0, gate.failures), 1 << 30)
        if gate.noted.nanoseconds < 0 { gate.noted = MonotonicInstant(nanoseconds: 0) }
        if lastSuccess?.isPossible == false { lastSuccess = nil }
    }

    /// Completes the lanes of a file with its mark.
    ///
    /// A damaged or missing row is replaced by its state at the last barrier. A sound one that the mark is ahead of
    /// comes from a file that has lost its last changes: the numbers in between were given to events, which are
    /// accepted, and lost unless they are found.
    package static func merging(_ rows: [StoredLane], with mark: HighWaterMark?) -> [StoredLane] {
        let marked = Dictionary((mark?.lanes ?? []).map { ($0.number, $0.stored) }) { first, _ in first }
        var lanes = marked
        for row in rows where row.isDamaged ? numbers.contains(row.number) : row.isPossible {
            guard !row.isDamaged else {
                lanes[row.number] = marked[row.number] ?? row
                continue
            }
            var lane = row
            if let mark = marked[row.number], mark.id == row.id, lane.purpose.isEmpty { lane.purpose = mark.purpose }
            if let mark = marked[row.number], mark.id == row.id, mark.nextNumber > row.nextNumber {
                lane.ledger.accepted = row.ledger.accepted.saturatingAdd(
                    Int(clamping: mark.nextNumber - row.nextNumber)
                )
                lane.nextNumber = mark.nextNumber
            }
            lanes[row.number] = lane
        }
        // Two lanes of one name are damage; the first one keeps it.
        var names: Set<LaneID> = []
        return lanes.values.sorted { $0.number < $1.number }.prefix(most).filter { names.insert($0.id).inserted }
    }
}

/// A lane's wait as it is stored: the time that was left, since a moment means nothing after the machine's restart.
package struct StoredGate: Sendable, Hashable {
    /// What was left of the wait when it was stored.
    package var remaining: Duration
    /// Why the lane waits: the raw value of a gate's reason, or empty.
    package var reason: String
    /// The failures in a row so far.
    package var failures: Int
    /// When it was noted: within the same start of the machine the wait has gone on since.
    package var noted: MonotonicInstant
    /// The start of the machine that ``noted`` belongs to, as in ``StoredMoment``.
    package var boot: UInt32

    package init(
        remaining: Duration = .zero,
        reason: String = "",
        failures: Int = 0,
        noted: MonotonicInstant = MonotonicInstant(nanoseconds: 0),
        boot: UInt32 = 0
    ) {
        self.remaining = remaining
        self.reason = reason
        self.failures = failures
        self.noted = noted
        self.boot = boot
    }
}

package import CoreTracker
package import EventBuffer

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

/// What becomes of refused events, as the lane's row says it.
extension StoredLane {
    /// Takes an event back from quarantine as the lane's last; returns the pack in which it is stored.
    package mutating func takeBack(_ event: QuarantinedEvent, at now: StoredMoment) -> Pack {
        let place = PackPlace(lane: number, number: nextNumber)
        var pack = Pack(place: place, priority: .normal, key: event.key, user: event.user, stored: now)
        pack.append(id: event.id, fragment: event.fragment)
        nextNumber += 1
        ledger.quarantined -= 1
        return pack
    }

    /// Gives up one event of the quarantine, counted under a reason.
    package mutating func giveUpQuarantined(_ reason: DropReason) {
        ledger.quarantined -= 1
        ledger.drop(1, reason)
    }

    /// Gives up all that is stored for the lane, counted under a reason; returns how many events that are.
    package mutating func giveUpAll(_ reason: DropReason) -> Int {
        let lost = ledger.pending + ledger.quarantined
        ledger.quarantined = 0
        ledger.drop(lost, reason)
        return lost
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
    /// When a pause began; `nil` without one.
    package var pausedSince: Timestamp?
    /// A checksum of the configuration that the pause is about; `nil` without a pause.
    package var configuration: UInt16?

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

    /// The reason and what belongs to a pause, as text of a column: fields with tabs in between.
    var reasonText: String {
        guard let pausedSince else { return reason }
        return [reason, String(pausedSince.microseconds), configuration.map { String($0) } ?? ""]
            .joined(separator: "\t")
    }

    /// Reads the text of a column; a pause that an earlier version has stored has its reason alone.
    mutating func read(reasonText text: String) {
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        reason = String(fields[0])
        guard fields.count == 3, let microseconds = Int64(fields[1]) else { return }
        let time = Timestamp(microseconds: microseconds)
        guard time.isPossible else { return }
        pausedSince = time
        configuration = UInt16(fields[2])
    }
}

/// A batch as it is stored from its first attempt on, so that every retry, also after a crash, is identical.
package struct StoredBatch: Sendable, Equatable {
    /// What a refusal of the whole batch has shown so far; see ``BatchVerdict/suspect(_:)``.
    package enum Suspicion: Int, Sendable {
        /// Nothing.
        case none = 0
        /// One half of a batch that was refused for no stated reason; the other half has not been tried.
        case half = 1
        /// A half that was refused too; it waits until the other half has been tried.
        case deferred = 2
        /// The other half was accepted, so the fault is in here.
        case proven = 3
    }

    package var id: EventID
    /// The packs of the batch, in order; never empty.
    package var packs: [PackPlace]
    /// How often the batch has been sent.
    package var attempts: Int
    package var suspicion: Suspicion

    package init(id: EventID, packs: [PackPlace], attempts: Int = 0, suspicion: Suspicion = .none) {
        self.id = id
        self.packs = packs
        self.attempts = attempts
        self.suspicion = suspicion
    }

    /// Whether the packs are ones that can be sent together, and every number is one that can have been reached.
    var isPossible: Bool {
        !packs.isEmpty && zip(packs, packs.dropFirst()).allSatisfy { $0 < $1 }
            && packs.allSatisfy { $0.isPossible && $0.lane == lane } && (0...(1 << 30)).contains(attempts)
    }

    /// The lane's number.
    package var lane: Int { packs.first?.lane ?? 0 }

    /// Whether the batch is sent before another one of its lane.
    package func precedes(_ other: StoredBatch) -> Bool {
        guard let first = packs.first, let otherFirst = other.packs.first, first != otherFirst else {
            return id < other.id
        }
        return first < otherFirst
    }
}

/// What went wrong last in a lane, as it is stored, so that a restart does not forget the cause of a wait.
package struct StoredFailure: Sendable, Hashable {
    /// The most bytes of an answer that are kept.
    package static let mostAnswerBytes = 512
    /// The most bytes of a kind or a code that are kept.
    private static let mostNameBytes = 128

    /// When it went wrong.
    package let time: Timestamp
    /// What kind of failure it was: a stable name of the engine's.
    package let kind: String
    /// The status of the receiver's answer, or 0 without one.
    package let status: Int
    /// The receiver's own code, or the reason for which there is no response; empty without one.
    package let code: String
    /// The start of the receiver's answer.
    package let answer: String
    /// The receiver's host and port, such as `collector.example:443`; empty if they are unknown.
    package let receiver: String

    /// Creates a failure; texts that are too long are cut, control characters become spaces.
    package init(
        time: Timestamp,
        kind: String,
        status: Int = 0,
        code: String = "",
        answer: String = "",
        receiver: String = ""
    ) {
        self.time = time
        self.kind = StoredFailure.line(kind, bytes: StoredFailure.mostNameBytes)
        self.status = (0..<1000).contains(status) ? status : 0
        self.code = StoredFailure.line(code, bytes: StoredFailure.mostNameBytes)
        self.answer = StoredFailure.line(answer, bytes: StoredFailure.mostAnswerBytes)
        self.receiver = StoredFailure.line(receiver, bytes: StoredFailure.mostNameBytes)
    }

    /// Reads the text of a column; `nil` when it is empty or is not one that this type writes.
    init?(text: String) {
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 6, let microseconds = Int64(fields[0]), let status = Int(fields[2]) else { return nil }
        let time = Timestamp(microseconds: microseconds)
        guard time.isPossible, (0..<1000).contains(status) else { return nil }
        self.init(
            time: time,
            kind: String(fields[1]),
            status: status,
            code: String(fields[3]),
            answer: String(fields[4]),
            receiver: String(fields[5])
        )
    }

    /// The text of a column: the fields with tabs in between.
    var text: String {
        [String(time.microseconds), kind, String(status), code, answer, receiver].joined(separator: "\t")
    }

    /// The start of a text, cut between characters, on one line.
    private static func line(_ text: String, bytes: Int) -> String {
        var line = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += scalar.utf8.count
            guard count <= bytes else { break }
            line.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
        }
        return line
    }
}

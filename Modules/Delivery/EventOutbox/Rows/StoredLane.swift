package import CoreTracker
package import EventTracking

/// A lane's row in an outbox.
package struct StoredLane: Sendable, Equatable {
    /// The lane number in this outbox, from 1.
    package var number: Int
    package private(set) var id: LaneID
    /// The name of the purpose of the lane's events, or empty if it is unknown.
    package var purpose = ""
    package var ledger = LaneLedger()
    /// The count and size of the lane's stored events.
    package var counts = LaneCounts()
    /// The sequence number with which the lane's queue begins.
    ///
    /// Segments below it may be in the file, but are not in the queue: they are never counted, read or sent.
    package var start: Int64 = 1
    /// The sequence number of the next stored event.
    package var nextNumber: Int64 = 1
    /// The open batches, ordered by their first segment.
    package var batches: [StoredBatch] = []
    /// The lane's wait, which a restart must not shorten.
    package var retryState = StoredRetryState()
    /// The receiver's last responses.
    package var receiver = StoredReceiver()
    /// Whether the lane's stored events must be counted again, because of damage.
    ///
    /// It is not written to the file. If the row was damaged or missing, the ledger is from the last barrier, or empty.
    /// A damaged segment or an impossible count sets it, too.
    package var isDamaged = false

    package init(number: Int, id: LaneID, isDamaged: Bool = false) {
        (self.number, self.id, self.isDamaged) = (number, id, isDamaged)
    }
}

/// The last responses of a lane's receiver: its body limit, its last acknowledgement and its last failure.
package struct StoredReceiver: Sendable, Equatable {
    /// The maximum body size in bytes that follows from a 413 response, or 0.
    package var maximumBodyBytes = 0
    /// The time of the last acknowledgement.
    package var lastSuccess: Timestamp?
    /// The last failure, or `nil` if the receiver has acknowledged a batch since.
    package var lastFailure: LaneFailure?
}

extension StoredLane: OutboxRow {
    static let table = RowTable.lane

    var rowKey: [UInt8] { [UInt8](key: UInt64(bitPattern: Int64(number))) }

    init?(rowKey key: [UInt8]) {
        guard let number = key.integerKey.flatMap({ Int(exactly: $0) }), StoredLane.numbers.contains(number) else {
            return nil
        }
        self.init(number: number, id: LaneID(product: "", service: ""))
    }

    mutating func code(_ coder: inout RowCoder) {
        coder.code(&id)
        // A lane without a name cannot be used.
        if coder.isDamaged { number = 0 }
        coder.code(&purpose)
        coder.code(&ledger)
        for index in counts.events.indices { coder.code(&counts.events[index]) }
        coder.code(&counts.bytes)
        coder.code(&start)
        coder.code(&nextNumber)
        coder.code(&batches, lane: number)
        coder.code(&receiver.maximumBodyBytes)
        retryState.code(&coder)
        coder.code(&receiver.lastSuccess, from: Timestamp(microseconds: 0)) { $1.code(&$0) }
        coder.code(&receiver.lastFailure, from: LaneFailure(time: Timestamp(microseconds: 0), kind: .retry)) {
            $0.code(&$1)
        }
        if coder.isReading { clamp() }
    }

    /// A lane with a name, whose counts are unknown.
    var damaged: StoredLane? {
        StoredLane.numbers.contains(number) ? StoredLane(number: number, id: id, isDamaged: true) : nil
    }
}

extension StoredLane {
    /// The maximum number of lanes to read.
    ///
    /// It exceeds the number of lanes that callers can create, so further lanes in a file are damage.
    package static let maximum = 4_096
    /// The valid lane numbers.
    ///
    /// Any other number is damage.
    static let numbers = 1..<(1 << 22)
    /// The longest plausible wait: ten years.
    private static let longestWait: Duration = .seconds(315_360_000)

    /// Whether every value that events depend on is plausible.
    package var isPossible: Bool {
        StoredLane.numbers.contains(number) && (1...SegmentPlace.lastNumber).contains(nextNumber)
            && (1...nextNumber).contains(start) && ledger.isPossible && counts.isPossible
    }

    /// Clamps the values that only delay or limit delivery.
    ///
    /// The events of an impossible batch are sent in another one.
    mutating func clamp() {
        batches = batches.filter { $0.isPossible(in: self) }
        receiver.maximumBodyBytes = min(max(0, receiver.maximumBodyBytes), 1 << 30)
        retryState.remaining = min(max(.zero, retryState.remaining), StoredLane.longestWait)
        retryState.failures = min(max(0, retryState.failures), 1 << 30)
        if retryState.noted.nanoseconds < 0 { retryState.noted = MonotonicInstant(nanoseconds: 0) }
        if receiver.lastSuccess?.isPossible == false { receiver.lastSuccess = nil }
        if receiver.lastFailure?.time.isPossible == false { receiver.lastFailure = nil }
        if retryState.pausedSince?.isPossible == false { retryState.pausedSince = nil }
    }

    /// Completes the lanes of a file with its durability checkpoint.
    ///
    /// A damaged or missing row is replaced by its state at the last barrier. If a valid row is older than the
    /// checkpoint, the file has lost its last changes. The events whose sequence numbers are in between count as
    /// accepted, and as lost unless they are found.
    ///
    /// - Parameters:
    ///   - rows: The lanes in the file.
    ///   - checkpoint: The file's durability checkpoint, if there is one.
    /// - Returns: The lanes, ordered by lane number.
    package static func merging(_ rows: [StoredLane], with checkpoint: DurabilityCheckpoint?) -> [StoredLane] {
        let safe = (checkpoint?.lanes ?? []).keyed { ($0.number, $0) }
        // A row replaces an older checkpoint's lane of the same name, which had another lane number.
        let named = rows.filter { !$0.isDamaged }.keyed { ($0.id, $0.number) }
        var lanes = safe
        for (number, lane) in safe where named[lane.id] ?? number != number { lanes[number] = nil }
        for row in rows where row.isDamaged ? numbers.contains(row.number) : row.isPossible {
            guard !row.isDamaged else {
                lanes[row.number] = safe[row.number] ?? row
                continue
            }
            var lane = row
            if let safe = safe[row.number], safe.id == row.id, safe.nextNumber > row.nextNumber {
                lane.ledger.accepted = row.ledger.accepted.saturatingAdd(
                    Int(clamping: safe.nextNumber - row.nextNumber)
                )
                lane.nextNumber = safe.nextNumber
            }
            lanes[row.number] = lane
        }
        // Two lanes with the same name are damage. The first one is used.
        var names: Set<LaneID> = []
        return lanes.sorted(by: \.key).map(\.value).prefix(maximum).filter { names.insert($0.id).inserted }
    }
}

/// Changes of the ledger for quarantined and dropped events.
extension StoredLane {
    /// Moves an event from quarantine to the end of the lane, with a high priority, because the app has asked for it.
    ///
    /// Its body keeps the sequence number of its first place.
    ///
    /// - Parameters:
    ///   - event: The quarantined event.
    ///   - now: The current time.
    /// - Returns: The segment that contains the event.
    package mutating func takeBack(_ event: QuarantinedEvent, at now: StoredMoment) -> Segment {
        var segment = Segment(
            place: SegmentPlace(lane: number, number: nextNumber),
            priority: .high,
            key: event.key,
            user: event.user,
            decision: event.decision,
            stored: now
        )
        segment.append(id: event.id, fragment: event.fragment)
        nextNumber += 1
        ledger.quarantined -= 1
        return segment
    }

    /// Counts one quarantined event as dropped for the given reason.
    package mutating func giveUpQuarantined(_ reason: DropReason) {
        ledger.quarantined -= 1
        ledger.drop(1, reason)
    }
}

/// The count and size of a lane's stored events.
package struct LaneCounts: Sendable, Equatable {
    /// The counts of events, indexed by the raw value of their priority.
    package var events: [Int] = [0, 0, 0]
    /// The size of the records in bytes.
    package var bytes = 0

    package init() {}

    /// The number of events of all priorities.
    package var total: Int { events.reduce(0) { $0.saturatingAdd($1) } }

    /// Whether every count is plausible.
    ///
    /// Implausible counts are damage.
    package var isPossible: Bool { (events + [bytes]).allSatisfy((0...LaneLedger.maximumCount).contains) }

    /// Adds a segment, or subtracts it if `sign` is -1.
    package mutating func count(_ segment: SegmentSummary, sign: Int) {
        let priority = segment.priority.rawValue
        events[priority] = events[priority].saturatingAdd(sign.saturatingMultiply(segment.count))
        bytes = bytes.saturatingAdd(sign.saturatingMultiply(segment.bytes))
    }
}

/// A lane's wait in its stored form.
///
/// It contains the remaining time, because a monotonic time is meaningless after the machine restarts.
package struct StoredRetryState: Sendable, Equatable {
    /// The remaining time when the wait was stored.
    package var remaining = Duration.zero
    /// The raw value of the reason for the wait, or empty.
    package var reason = ""
    /// The number of consecutive failures.
    package var failures = 0
    /// The time at which the wait was stored.
    ///
    /// Until the machine restarts, the wait has continued since then.
    package var noted = MonotonicInstant(nanoseconds: 0)
    /// A checksum of the boot that ``noted`` belongs to, as in ``StoredMoment``.
    package var boot: UInt32 = 0
    /// The start of the pause, or `nil` if there is none.
    package var pausedSince: Timestamp?
    /// A checksum of the configuration that caused the pause, or `nil` if there is no pause.
    package var configuration: UInt16?

    package init() {}

    /// Writes or reads the fields of a lane's row.
    mutating func code(_ coder: inout RowCoder) {
        var (remaining, noted) = (self.remaining.nanoseconds, self.noted.nanoseconds)
        coder.code(&remaining)
        coder.code(&reason)
        coder.code(&failures)
        coder.code(&noted)
        coder.code(&boot)
        coder.code(&pausedSince, from: Timestamp(microseconds: 0)) { $1.code(&$0) }
        coder.code(&configuration, from: 0) { $1.code(&$0) }
        guard coder.isReading else { return }
        (self.remaining, self.noted) = (.nanoseconds(remaining), MonotonicInstant(nanoseconds: noted))
    }
}

extension RowCoder {
    /// Writes or reads a ledger.
    mutating func code(_ ledger: inout LaneLedger) {
        code(&ledger.accepted)
        code(&ledger.delivered)
        code(&ledger.quarantined)
        var dropped = ledger.dropped.isEmpty ? [:] : ledger.dropped.keyed { ($0.key.name, $0.value) }
        code(&dropped)
        code(&ledger.adjusted)
        guard isReading else { return }
        ledger.dropped = dropped.keyed { (DropReason($0.key), $0.value) }
    }
}

import CoreTracker
import EventOutbox
import EventTracking

/// A lane's state: its row with the open batches, leases and retry state.
///
/// It is a value and commits nothing. Each method receives the time, the randomness and the outbox to read from, and
/// returns the outbox changes and the next step. Tests need no actor, clock or disk.
struct LaneQueue: Sendable {
    /// The lane's row in the outbox: ledger, counts, open batches, next sequence number, remembered body limit and
    /// retry state.
    var stored: StoredLane
    /// The lane's destination, or `nil` if this run has none.
    let destination: (any Destination)?
    /// The user's decision in effect about the destination's purpose.
    let consent: LaneConsent
    /// The app's reasons for holding the lane.
    let holds: LaneHolds
    /// The lane's schedule, and the sequence number of its due events.
    var schedule: LaneSchedule
    /// The batches in flight.
    var leases: [EventID: LeaseRecord] = [:]
    /// The retry state, which determines when the lane may send next.
    var retryState = RetryState()
    /// The consecutive results that change the lane's behaviour.
    var streaks = Streaks()
    /// The batches passed over until another event is sent, each with one event.
    var aside: [Aside] = []
    /// The finished requests of this run.
    var requests = RequestStatistics()
    /// The ledger when the outbox was opened.
    var opening = LaneLedger()
    /// The lane's oldest segment, if any, also if an erasure hides it.
    var head: SegmentSummary?
    /// The sequence number below which every segment belongs to a batch or is hidden by an erasure.
    var firstFree: Int64 = 0

    /// A batch in flight.
    struct LeaseRecord: Sendable {
        /// The lane's count of faults at the time of the lease.
        let faults: Int
        /// The time of the lease.
        let start: MonotonicInstant
        /// The number of the batch's events.
        var events = 0
        /// The size of the batch's segments in bytes.
        var bytes = 0
    }

    /// A batch with one event, refused without a reason.
    struct Aside: Sendable {
        let lease: Lease
        let reason: String
        let attempt: Attempt
    }

    /// The consecutive results that change a lane's behaviour.
    struct Streaks: Sendable {
        /// The number of failures and pauses so far.
        ///
        /// If a request started before the last of them, its result counts neither as another failure nor as a success.
        var faults = 0
        /// The number of single events refused in a row, without an acknowledgement.
        var refusals = 0
        /// The number of single events refused without a reason, since the last acknowledgement.
        var unexplained = 0
        /// The number of acknowledged batches that the body limit has ended since it was lowered.
        var successesAtLimit = 0
        /// The number of acknowledgements in a row whose bodies were interrupted.
        var interruptions = 0
    }

    init(
        stored: StoredLane,
        destination: (any Destination)?,
        consent: LaneConsent = LaneConsent(),
        holds: LaneHolds = LaneHolds(),
        schedule: SendingSchedule = .immediate
    ) {
        self.stored = stored
        self.destination = destination
        self.consent = consent
        self.holds = holds
        self.schedule = LaneSchedule(schedule)
        adoptPurpose()
    }

    /// The lane's name.
    var id: LaneID { stored.id }

    /// The open batches, in sending order.
    var batches: [StoredBatch] {
        get { stored.batches }
        _modify { yield &stored.batches }
    }

    /// The destination's limits, with the body limit lowered by a 413 response.
    var limits: BatchLimits? {
        guard var limits = destination?.limits else { return nil }
        if stored.receiver.maximumBodyBytes > 0 {
            limits.bodyBytes = min(limits.bodyBytes, stored.receiver.maximumBodyBytes)
        }
        return limits
    }

    /// The places of the segments that belong to a batch.
    var batchedPlaces: Set<SegmentPlace> { Set(batches.lazy.flatMap(\.segments)) }

    /// The start of the oldest request in flight and its receiver's host and port, if any.
    var oldestRequest: (start: MonotonicInstant, receiver: String)? {
        guard let destination, let start = leases.values.map(\.start).min() else { return nil }
        return (start, destination.sampleRequest.url.hostAndPort)
    }

    /// The user's decision in effect about the lane's events.
    ///
    /// A lane without a destination sends nothing, and needs no consent.
    var currentConsent: Consent { destination == nil ? .granted : consent.value }

    /// The lane's state for reports and statistics.
    var status: LaneStatus {
        var status = LaneStatus(hasDestination: destination != nil, consent: currentConsent)
        status.pause = retryState.pause.map {
            LanePause(reason: $0, since: retryState.pausedSince, isOfEarlierRun: retryState.isPausedByEarlierRun)
        }
        status.isFailureOfEarlierRun = requests.count == 0
        status.holds = holds.reasons
        status.notBefore = retryState.reason == nil ? nil : retryState.notBefore
        status.firstUnsettled = head?.place.number ?? (stored.counts.total == 0 ? nil : 1)
        status.eventsAwaitingConsent = currentConsent == .unknown ? stored.counts.total : 0
        status.nextNumber = stored.nextNumber
        status.opening = opening
        return status
    }

    /// Whether the lane has events or a wait.
    var isBusy: Bool { head != nil || stored.counts.total != 0 || retryState.reason != nil }

    /// Adds a stored segment to the counts.
    ///
    /// With the sign -1 it removes one.
    mutating func account(_ segment: SegmentSummary, sign: Int) {
        stored.counts.count(segment, sign: sign)
        // A damaged file may count fewer events than it has rows.
        if stored.counts.total < 0 || stored.counts.bytes < 0 { stored.isDamaged = true }
        guard sign > 0 else { return }
        if head.map({ segment.place < $0.place }) ?? true { head = segment }
        if isEnough || segment.priority == .high { schedule.start(below: stored.nextNumber) }
    }

    /// Finds the lane's oldest segment again after a removal.
    ///
    /// The queue begins with it.
    mutating func refreshHead(from outbox: Outbox) {
        head = nil
        defer { adoptPurpose() }
        guard stored.counts.total != 0 else { return }
        head = (try? outbox.summaries(of: stored, after: nil, limit: 1))?.first
        if let head { stored.start = max(stored.start, head.place.number) }
    }

    /// Takes the purpose of the destination, if no event of another purpose is stored.
    private mutating func adoptPurpose() {
        guard let purpose = destination?.purpose.name, stored.counts.total == 0, stored.ledger.quarantined == 0 else {
            return
        }
        stored.purpose = purpose
    }

    /// Whether a decision about a purpose applies to the lane.
    ///
    /// If the stored events have another purpose than the destination, both apply. If damage has lost the stored
    /// purpose, every purpose applies.
    func hasPurpose(_ purpose: String) -> Bool {
        stored.purpose == purpose || stored.purpose.isEmpty || destination?.purpose.name == purpose
    }

    /// Uses the row of an opened or replaced outbox.
    ///
    /// A request in flight keeps its lease, and completes its batch if the outbox still contains it.
    mutating func restore(_ stored: StoredLane) {
        self.stored = stored
        firstFree = 0
        aside.removeAll { entry in !stored.batches.contains { $0.id == entry.lease.stored.id } }
        adoptPurpose()
        // After a restart, a waiting event with the highest priority is due, as it was before.
        if isEnough || leases.isEmpty && stored.counts.events.last != 0 { schedule.start(below: stored.nextNumber) }
    }
}

/// The schedule.
extension LaneQueue {
    /// Whether enough events or bytes wait for a request.
    private var isEnough: Bool {
        let inFlight = leases.values.reduce((events: 0, bytes: 0)) { ($0.events + $1.events, $0.bytes + $1.bytes) }
        return schedule.isEnough(
            events: stored.counts.total - inFlight.events,
            bytes: stored.counts.bytes - inFlight.bytes
        )
    }

    /// Whether stored events may wait for the schedule.
    var canWait: Bool { !schedule.isImmediate && stored.counts.total > 0 }

    /// The time at which the schedule sends the lane's oldest event, or `nil` if that event does not wait for it.
    ///
    /// - Parameter now: The current time.
    func dueTime(at now: StoredMoment) -> MonotonicInstant? { head.flatMap { schedule.dueTime(of: $0, at: now) } }
}

/// Denials and erasures.
extension LaneQueue {
    /// Empties the lane: its events are not in the queue any more, and count as lost.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - change: Receives the row, and the deletion of all quarantined events.
    /// - Returns: The number of lost events.
    mutating func empty(_ reason: DropReason, change: inout OutboxChange) -> Int {
        let lost = stored.ledger.pending + stored.ledger.quarantined
        (stored.counts, stored.ledger.quarantined, stored.isDamaged) = (LaneCounts(), 0, false)
        stored.ledger.drop(lost, reason)
        stored.start = stored.nextNumber
        // A request in flight keeps its lease until it ends, although its response no longer changes any event.
        (batches, aside, head) = ([], [], nil)
        adoptPurpose()
        change.empty(stored)
        return max(0, lost)
    }

    /// Removes batches, whose events are leased again unless an erasure covers them.
    mutating func dissolve(_ gone: [StoredBatch], change: inout OutboxChange) {
        // A request in flight keeps its lease until it ends, although its response no longer changes any event.
        batches.removeAll { batch in gone.contains { $0.id == batch.id } }
        firstFree = gone.map(\.start.number).reduce(firstFree, min)
        aside.removeAll { entry in gone.contains { $0.id == entry.lease.stored.id } }
        if !gone.isEmpty { change.save(stored) }
    }
}

/// The changes of a lane's step, and the notifications to send after the commit.
struct LaneChange: Sendable {
    var outbox = OutboxChange()
    /// The settled events, for the journal, receipts and outcomes.
    var settled: [SettledEvents] = []
    var diagnostics: [Diagnostic] = []

    var isEmpty: Bool { outbox.isEmpty && settled.isEmpty && diagnostics.isEmpty }

    /// Records that events are lost.
    ///
    /// - Parameters:
    ///   - count: The number of the events.
    ///   - reason: The reason.
    ///   - lane: Their lane.
    ///   - ids: Their ids, as far as they are known.
    mutating func lose(_ count: Int, _ reason: DropReason, on lane: LaneID, ids: [EventID] = []) {
        guard count > 0 else { return }
        settled.append(SettledEvents(.dropped(reason), lane: lane, ids, count: count))
        diagnostics.append(.dropped(lane: lane, reason: reason, count: count))
    }
}

/// The lane's next step.
enum LaneStep: Sendable {
    /// Send a batch.
    case send(Lease)
    /// Wait until an instant or a change. Without an instant, wait for a change.
    case wait(until: MonotonicInstant?)
    /// Ask again after the change is committed.
    case again
}

/// A batch in flight, with the data needed to settle it.
struct Lease: Sendable {
    let batch: OutgoingBatch
    var stored: StoredBatch
    var segments: [Segment]
    /// The decision number of the last decision or erasure at the time of the lease.
    ///
    /// The request starts only if no later one denies or erases events of the lane.
    let number: UInt64
}

/// The environment of a lane's methods, such as the outbox to read from, the time, the consent and the randomness.
struct LaneContext {
    let outbox: Outbox
    /// The row of the state, whose pending erasures hide events.
    var row = StateRow()
    let now: StoredMoment
    let expiry: Expiry
    let newID: () -> EventID
    /// The user's and the configuration's decisions, by purpose.
    var consents: [ConsentPurpose: Consent] = [:]
    /// The decision number of the last decision or erasure.
    var number: UInt64 = 0
    /// The randomness for the jitter of waits.
    var random = EngineRuntime.system.generator
}

/// The rule for expiry: by the monotonic clock within one boot, otherwise by the receiver's clock.
struct Expiry: Sendable {
    /// The maximum age of an event.
    let age: Duration
    /// The time named by a receiver, if this device's wall clock agreed with it.
    var receiverTime: StoredMoment?

    /// Whether an event stored at a given moment has expired.
    func isExpired(_ stored: StoredMoment, at now: StoredMoment) -> Bool {
        if stored.boot == now.boot, stored.boot != 0 { return stored.monotonic.duration(to: now.monotonic) > age }
        return isExpired(stored.wall, at: now.monotonic)
    }

    /// Whether a wall time has expired by the receiver's clock.
    ///
    /// An age of more than ten times the limit does not count, because a clock was wrong when the event was stored.
    func isExpired(_ wall: Timestamp, at now: MonotonicInstant) -> Bool {
        guard let receiverTime else { return false }
        let (microseconds, overflow) = receiverTime.wall.microseconds.subtractingReportingOverflow(wall.microseconds)
        guard !overflow else { return false }
        let passed = Duration.microseconds(microseconds) + receiverTime.monotonic.duration(to: now)
        return passed > age && passed < age * 10
    }
}

import CoreTracker
import EventBuffer

/// A lane's state: its ledger, batches, leases, retry state and consent.
///
/// It is a value and commits nothing. Each method receives the time, the randomness and the outbox to read from, and
/// returns the outbox changes and the next step. Tests need no actor, clock or disk.
struct LaneQueue: Sendable {
    /// The lane's row in the outbox: ledger, next number, remembered body limit and retry state.
    var stored: StoredLane
    /// The lane's destination, or `nil` if this run has none.
    let destination: (any Destination)?
    /// The reasons for which the app holds the lane.
    let holds: LaneHolds
    /// The user's last decision that has been applied to the stored events.
    var consent: ConsentWord
    /// The number and size of the lane's stored events.
    var usage = LaneUsage()
    /// The open batches, in sending order.
    var batches: [StoredBatch] = []
    /// The batches in flight, each with the time of its lease and the lane's number of faults at that time.
    ///
    /// A batch stays leased until its request has ended, even if it moves to another file or is lost there.
    var leases: [EventID: (faults: Int, start: MonotonicInstant)] = [:]
    /// The retry state, which determines when the lane may send next.
    var retryState = RetryState()
    /// The number of failures and pauses so far.
    ///
    /// If a request started before the last of them, its result counts neither as another failure nor as a success.
    var faults = 0
    /// The number of single events refused in a row, without an acknowledgement.
    var refusals = 0
    /// The number of batches acknowledged in a row since the body limit was lowered.
    var successesAtLimit = 0
    /// The ledger when the engine was opened.
    var opening = LaneLedger()
    /// The place of the lane's oldest deliverable segment, if any.
    var head: SegmentPlace?
    /// Whether damaged rows were found, so the rows must be counted again.
    var isDamaged = false
    /// Whether deletion after a denial is pending.
    ///
    /// Until it is complete, the denial stays in effect.
    var owesPurge = false

    init(
        stored: StoredLane,
        destination: (any Destination)?,
        consent: ConsentWord,
        holds: LaneHolds = LaneHolds()
    ) {
        self.stored = stored
        self.destination = destination
        self.holds = holds
        self.consent = consent
        if let destination { self.stored.purpose = destination.purpose.name }
    }

    /// The lane's name.
    var id: LaneID { stored.id }

    /// The destination's limits, with the body limit that a 413 response has lowered.
    var limits: BatchLimits? {
        guard var limits = destination?.limits else { return nil }
        if stored.learnedBodyBytes > 0 { limits.bodyBytes = min(limits.bodyBytes, stored.learnedBodyBytes) }
        return limits
    }

    /// The places of the segments that belong to a batch.
    var batchedPlaces: Set<SegmentPlace> { Set(batches.lazy.flatMap(\.segments)) }

    /// The start of the oldest request in flight and its receiver's host and port, if any.
    var oldestRequest: (start: MonotonicInstant, receiver: String)? {
        guard let destination, let start = leases.values.map(\.start).min() else { return nil }
        return (start, destination.sampleRequest.url.hostAndPort)
    }

    /// The lane's state for reports and statistics.
    var status: LaneStatus {
        LaneStatus(
            hasDestination: destination != nil,
            consent: destination == nil ? .granted : consent.consent,
            pause: retryState.pause,
            pausedSince: retryState.pausedSince,
            isPausedByEarlierRun: retryState.isPausedByEarlierRun,
            holds: holds.reasons,
            notBefore: retryState.reason == nil ? nil : retryState.notBefore,
            firstUnsettled: head?.number ?? (usage.totalEvents == 0 ? nil : 1),
            heldEvents: usage.heldEvents,
            nextNumber: stored.nextNumber,
            opening: opening
        )
    }

    /// Adds a stored deliverable segment to the counts.
    ///
    /// With the sign -1 it removes one.
    mutating func account(_ segment: SegmentSummary, sign: Int) {
        usage.count(segment, sign: sign)
        // A damaged file may count fewer events than it has rows.
        if usage.totalEvents < 0 { isDamaged = true }
        guard sign > 0 else { return }
        if usage.oldest == nil { usage.oldest = segment.stored }
        if head == nil { head = segment.place }
    }

    /// Adds a held segment to the counts.
    ///
    /// With the sign -1 it removes one.
    mutating func accountHeld(_ segment: SegmentSummary, sign: Int) {
        usage.countHeld(segment, sign: sign)
        if usage.heldEvents < 0 { isDamaged = true }
    }

    /// Counts held events as deliverable although their rows cannot be read, and requests a recount.
    mutating func grantUnread() {
        usage.grant()
        isDamaged = true
    }

    /// Finds the lane's oldest deliverable segment again after a removal.
    mutating func refreshHead(from outbox: any Outbox) {
        let oldest =
            usage.totalEvents == 0 ? nil : try? outbox.summaries(lane: stored.number, after: nil, limit: 1).first
        (head, usage.oldest) = (oldest?.place, oldest?.stored)
    }

    /// Applies the denial that a decision contains.
    ///
    /// The stored events are still there, and their deletion is pending. A later decision is not
    /// applied with it, because events tracked after that decision are not refused.
    mutating func deny(_ word: ConsentWord) {
        consent = word
        consent.consent = .denied
        consent.number = word.denial
        owesPurge = true
        batches = []
    }

    /// Counts events that were kept in memory and deleted by a denial.
    ///
    /// - Returns: The number of events.
    mutating func lose(_ kept: OutboxChange) -> Int {
        for segment in kept.inserted { account(segment.summary, sign: -1) }
        for segment in kept.insertedHeld { accountHeld(segment.summary, sign: -1) }
        let quarantined = kept.insertedQuarantined.count
        let lost = (kept.inserted + kept.insertedHeld).reduce(quarantined) { $0 + $1.count }
        stored.ledger.quarantined -= quarantined
        stored.ledger.drop(lost, .consentDenied)
        return lost
    }

    /// Returns the lane's row after a denial has deleted all of its events, and their number.
    func purged() -> (row: StoredLane, lost: Int) {
        var row = stored
        let lost = row.giveUpAll(.consentDenied)
        return (row, lost)
    }

    /// Records that all of the lane's events were deleted.
    mutating func finishPurge(_ row: StoredLane) {
        stored = row
        usage = LaneUsage()
        head = nil
        owesPurge = false
        batches = []
    }

    /// Resets the stored state, because another outbox replaces the current one.
    ///
    /// Requests stay in flight, and their batches may be moved to the other outbox.
    mutating func resetStored() {
        restore(StoredLane(number: 0, id: stored.id), usage: LaneUsage(), batches: [])
        head = nil
    }

    /// Sets the state that an outbox has stored for the lane.
    mutating func restore(_ stored: StoredLane, usage: LaneUsage, batches: [StoredBatch]) {
        self.stored = stored
        if let destination { self.stored.purpose = destination.purpose.name }
        self.usage = usage
        self.batches = batches
    }
}

/// Erasure of a user's events.
extension LaneQueue {
    /// Removes a user's segments, held events and quarantined events up to an event, and the batches that contain any
    /// of them.
    ///
    /// - Returns: The events' ids.
    mutating func erase(
        _ erasure: Erasure,
        from outbox: any Outbox,
        change: inout LaneChange
    ) throws(OutboxError) -> [EventID] {
        var (erased, places) = ([EventID](), Set<SegmentPlace>())
        var last: SegmentPlace?
        while true {
            let page = try outbox.summaries(lane: stored.number, after: last, limit: 256)
            for summary in page where erasure.concerns(summary.user) {
                guard let segment = try outbox.segment(at: summary.place) else { continue }
                guard let rest = LaneQueue.rest(of: segment, after: erasure, &erased) else { continue }
                places.insert(summary.place)
                change.outbox.removed.append(summary.place)
                account(summary, sign: -1)
                if rest.count > 0 {
                    change.outbox.inserted.append(rest)
                    account(rest.summary, sign: 1)
                }
            }
            guard let end = page.last?.place else { break }
            last = end
        }
        for segment in try outbox.heldSegments(lane: stored.number) where erasure.concerns(segment.user) {
            guard let rest = LaneQueue.rest(of: segment, after: erasure, &erased) else { continue }
            change.outbox.removedHeld.append(segment.place)
            accountHeld(segment.summary, sign: -1)
            if rest.count > 0 {
                change.outbox.insertedHeld.append(rest)
                accountHeld(rest.summary, sign: 1)
            }
        }
        let pending = erased.count
        for event in try outbox.quarantined(lane: id, limit: .max)
        where erasure.concerns(event.user) && event.id <= erasure.last {
            change.outbox.removedQuarantined.append(event.id)
            erased.append(event.id)
        }
        for batch in batches where batch.segments.contains(where: places.contains) {
            change.outbox.removedBatches.append(batch.id)
        }
        batches.removeAll { $0.segments.contains(where: places.contains) }
        stored.ledger.quarantined -= erased.count - pending
        stored.ledger.drop(erased.count, .erased)
        if !erased.isEmpty || !places.isEmpty { change.outbox.note(stored) }
        return erased
    }

    /// Returns the events of a segment that are later than an erasure, or `nil` if none is to be erased.
    private static func rest(of segment: Segment, after erasure: Erasure, _ erased: inout [EventID]) -> Segment? {
        let records = segment.read()
        // If the records are damaged, erase the whole segment, since its events cannot be identified.
        let later = records.filter { $0.id > erasure.last }
        guard later.count < records.count || records.isEmpty else { return nil }
        erased += records.lazy.map(\.id).filter { $0 <= erasure.last }
        return segment.replacing(records: later, offset: records.count - later.count)
    }
}

/// The changes of a lane's step, and the notifications to send after the commit.
struct LaneChange: Sendable {
    var outbox = OutboxChange()
    /// The final status of events, for `explain` and receipts.
    var statuses: [(id: EventID, lane: LaneID, status: EventStatus)] = []
    var diagnostics: [Diagnostic] = []

    var isEmpty: Bool { outbox.isEmpty && statuses.isEmpty && diagnostics.isEmpty }
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
    /// The consent decision at the time of the lease.
    ///
    /// The request starts only if it is still the latest one.
    let word: ConsentWord
    /// The number of erasures at the time of the lease.
    ///
    /// The request starts only if there was none since.
    let erasures: Int
    /// Whether the other half of a bisected suspect batch has been refused already.
    let isLastHalf: Bool

    /// Returns the lease with the current places of its segments, or `nil` if the batch no longer exists.
    ///
    /// The places change if the batch moves to another file.
    func following(_ batches: [StoredBatch]) -> Lease? {
        guard let current = batches.first(where: { $0.id == stored.id }), current.segments.count == segments.count
        else {
            return nil
        }
        guard current.segments != stored.segments else { return self }
        var moved = self
        moved.stored.segments = current.segments
        moved.segments = zip(segments, current.segments).map { $0.moved(to: $1) }
        return moved
    }
}

/// The environment of a lane's methods: the outbox to read from, the time, the maximum age, new ids and consent.
struct LaneContext {
    let outbox: any Outbox
    let now: StoredMoment
    let expiry: Expiry
    let newID: () -> EventID
    /// The consent decision about each purpose.
    var consents: [ConsentPurpose: Consent] = [:]
    /// The number of erasures so far.
    var erasures = 0
}

/// The rule for expiry: by the monotonic clock within one boot, otherwise by the receiver's clock.
struct Expiry: Sendable {
    /// The maximum age of an event.
    let age: Duration
    /// The time that a receiver has named, if this device's wall clock agreed with it.
    var receiverTime: StoredMoment?

    /// Whether an event that was stored at a given moment has expired.
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

import CoreTracker

/// One lane: its ledger, batches, leases, retry state and consent.
///
/// A value: each method is told the time, the randomness and where to read packs, and returns what to change in the
/// outbox and what to do next. It commits nothing itself, so tables test it without an actor, a clock or a disk.
struct LaneQueue: Sendable {
    /// The row that the outbox keeps of the lane: ledger, next number, learnt body limit and retry state.
    var stored: StoredLane
    /// Where the lane delivers to; `nil` for a lane that this run has no destination for.
    let destination: (any Destination)?
    /// What the user has said, as far as it has been applied to what is stored.
    var consent: ConsentWord
    /// What the outbox holds for the lane.
    var usage = LaneUsage()
    /// The open batches, in the order in which they are sent.
    var batches: [StoredBatch] = []
    /// The batches under way, each with the time at which it was leased and the number of the lane's faults then.
    ///
    /// A batch stays leased until its request has ended, also where it moves to another file or is lost there.
    var leases: [EventID: (faults: Int, start: MonotonicInstant)] = [:]
    /// When the lane may send next.
    var gate = LaneGate()
    /// The number of faults and pauses so far: the outcome of an older request is no news.
    var faults = 0
    /// Single events refused in a row, without anything acknowledged in between.
    var refusals = 0
    /// Batches acknowledged in a row since the body limit was learnt.
    var successesAtLimit = 0
    /// The ledger when the engine was opened.
    var opening = LaneLedger()
    /// The lane's oldest deliverable pack; `nil` when there is none.
    var head: PackPlace?
    /// Whether rows turned out to be damaged, so that they have to be counted again.
    var isDamaged = false
    /// Whether events of before a denial may still be on the disk; until they are gone, the denial stays in force.
    var owesPurge = false

    init(stored: StoredLane, destination: (any Destination)?, consent: ConsentWord) {
        self.stored = stored
        self.destination = destination
        self.consent = consent
        if let destination { self.stored.purpose = destination.purpose.name }
    }

    /// The lane's name.
    var id: LaneID { stored.id }

    /// What one request may hold, with what a 413 has taught.
    var limits: BatchLimits? {
        guard var limits = destination?.limits else { return nil }
        if stored.learnedBodyBytes > 0 { limits.bodyBytes = min(limits.bodyBytes, stored.learnedBodyBytes) }
        return limits
    }

    /// The places of the packs that belong to a batch.
    var batchedPlaces: Set<PackPlace> { Set(batches.lazy.flatMap(\.packs)) }

    /// The oldest request under way: its start and its receiver's host and port; `nil` if there is none.
    var oldestRequest: (start: MonotonicInstant, receiver: String)? {
        guard let destination, let start = leases.values.map(\.start).min() else { return nil }
        return (start, destination.sampleRequest.url.hostAndPort)
    }

    /// How the lane stands, for reports and statistics.
    var status: LaneStatus {
        LaneStatus(
            isServed: destination != nil,
            consent: destination == nil ? .granted : consent.consent,
            wait: gate.reason,
            pausedSince: gate.pausedSince,
            isPausedByEarlierRun: gate.isPausedByEarlierRun,
            notBefore: gate.reason == nil ? nil : gate.notBefore,
            firstUnsettled: head?.number ?? (usage.totalEvents == 0 ? nil : 1),
            heldEvents: usage.heldEvents,
            nextNumber: stored.nextNumber,
            opening: opening
        )
    }

    /// Counts a deliverable pack that is stored, or with the sign -1 one that is gone.
    mutating func account(_ pack: PackSummary, sign: Int) {
        usage.count(pack, sign: sign)
        // A damaged file may count fewer events than it has rows of.
        if usage.totalEvents < 0 { isDamaged = true }
        guard sign > 0 else { return }
        if usage.oldest == nil { usage.oldest = pack.stored }
        if head == nil { head = pack.place }
    }

    /// Counts a pack that waits for consent, or with the sign -1 one that is gone.
    mutating func accountHeld(_ pack: PackSummary, sign: Int) {
        usage.countHeld(pack, sign: sign)
        if usage.heldEvents < 0 { isDamaged = true }
    }

    /// Counts held events as deliverable where their rows cannot be read, and has the lane recounted later.
    mutating func grantUnread() {
        usage.grant()
        isDamaged = true
    }

    /// Looks up the lane's oldest deliverable pack again, after packs were removed.
    mutating func refreshHead(from outbox: any Outbox) {
        let oldest =
            usage.totalEvents == 0 ? nil : try? outbox.summaries(lane: stored.number, after: nil, limit: 1).first
        (head, usage.oldest) = (oldest?.place, oldest?.stored)
    }

    /// Puts the denial up to a word in force; what is stored is still there, and is owed to be deleted.
    ///
    /// A word that has followed the denial is not applied with it: what was tracked after that word is not refused.
    mutating func deny(_ word: ConsentWord) {
        consent = word
        consent.consent = .denied
        consent.number = word.denial
        owesPurge = true
        batches = []
    }

    /// Counts what memory kept of the lane as lost by a denial, which has deleted it there; returns how many events
    /// that are.
    mutating func lose(_ kept: OutboxChange) -> Int {
        for pack in kept.inserted { account(pack.summary, sign: -1) }
        for pack in kept.insertedHeld { accountHeld(pack.summary, sign: -1) }
        let quarantined = kept.insertedQuarantined.count
        let lost = (kept.inserted + kept.insertedHeld).reduce(quarantined) { $0 + $1.count }
        stored.ledger.quarantined -= quarantined
        stored.ledger.drop(lost, .consentDenied)
        return lost
    }

    /// The lane's row once a denial has deleted all that it holds, and how many events that are.
    func purged() -> (row: StoredLane, lost: Int) {
        var row = stored
        let lost = row.giveUpAll(.consentDenied)
        return (row, lost)
    }

    /// Notes that everything which the lane held has been deleted.
    mutating func finishPurge(_ row: StoredLane) {
        stored = row
        usage = LaneUsage()
        head = nil
        owesPurge = false
        batches = []
    }

    /// Forgets what an outbox holds of the lane, because another one takes its place.
    ///
    /// Requests stay under way, and the batches that they send may come along.
    mutating func forgetStored() {
        takeUp(StoredLane(number: 0, id: stored.id), usage: LaneUsage(), batches: [])
        head = nil
    }

    /// Takes up what an outbox holds of the lane, with the retry state of an earlier run.
    mutating func takeUp(_ stored: StoredLane, usage: LaneUsage, batches: [StoredBatch]) {
        self.stored = stored
        if let destination { self.stored.purpose = destination.purpose.name }
        self.usage = usage
        self.batches = batches
    }
}

/// What is to be erased.
extension LaneQueue {
    /// Takes out what the lane holds of a user up to an event: packs, held and quarantined events, and the batches that
    /// any of it was part of; returns the events' ids.
    mutating func erase(
        _ erasure: ErasureFile.Erasure,
        from outbox: any Outbox,
        change: inout LaneChange
    ) throws(OutboxError) -> [EventID] {
        var (erased, places) = ([EventID](), Set<PackPlace>())
        var last: PackPlace?
        while true {
            let page = try outbox.summaries(lane: stored.number, after: last, limit: 256)
            for summary in page where erasure.concerns(summary.user) {
                guard let pack = try outbox.pack(at: summary.place) else { continue }
                guard let rest = LaneQueue.rest(of: pack, after: erasure, &erased) else { continue }
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
        for pack in try outbox.heldPacks(lane: stored.number) where erasure.concerns(pack.user) {
            guard let rest = LaneQueue.rest(of: pack, after: erasure, &erased) else { continue }
            change.outbox.removedHeld.append(pack.place)
            accountHeld(pack.summary, sign: -1)
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
        for batch in batches where batch.packs.contains(where: places.contains) {
            change.outbox.removedBatches.append(batch.id)
        }
        batches.removeAll { $0.packs.contains(where: places.contains) }
        stored.ledger.quarantined -= erased.count - pending
        stored.ledger.drop(erased.count, .erased)
        if !erased.isEmpty || !places.isEmpty { change.outbox.note(stored) }
        return erased
    }

    /// What of a pack is later than an erasure; `nil` where nothing of it is to be erased.
    private static func rest(of pack: Pack, after erasure: ErasureFile.Erasure, _ erased: inout [EventID]) -> Pack? {
        let records = pack.read()
        // What is damaged cannot be told apart.
        let later = records.filter { $0.id > erasure.last }
        guard later.count < records.count || records.isEmpty else { return nil }
        erased += records.lazy.map(\.id).filter { $0 <= erasure.last }
        return pack.replacing(records: later, offset: records.count - later.count)
    }
}

/// How a lane stands, as the store has published it last.
struct LaneStatus: Sendable, Equatable {
    /// Whether this run has a destination for the lane.
    var isServed = false
    var consent = Consent.granted
    /// Why the lane waits; `nil` when it may send.
    var wait: LaneGate.Reason?
    /// When the pause began; `nil` if the lane is not paused.
    var pausedSince: Timestamp?
    /// Whether an earlier run has paused the lane, and this one has no answer yet.
    var isPausedByEarlierRun = false
    /// The end of the wait.
    var notBefore: MonotonicInstant?
    /// The number of the oldest event that has not been settled; `nil` when all have.
    var firstUnsettled: Int64?
    /// Events that wait for consent.
    var heldEvents = 0
    /// The number of the next event that is stored.
    var nextNumber: Int64 = 1
    /// The ledger when the engine was opened, with what has been taken over from ended processes since.
    var opening = LaneLedger()

    /// Why the lane only probes; `nil` when it does not.
    var pause: PauseReason? {
        guard case .paused(let reason) = wait else { return nil }
        return reason
    }
}

/// What a lane's step changes, and what has to be told about it once that is committed.
struct LaneChange: Sendable {
    var outbox = OutboxChange()
    /// Ends of events, for `explain` and for receipts.
    var fates: [(id: EventID, lane: LaneID, fate: EventFate)] = []
    var diagnostics: [Diagnostic] = []

    var isEmpty: Bool { outbox.isEmpty && fates.isEmpty && diagnostics.isEmpty }
}

/// What a lane does next.
enum LaneStep: Sendable {
    /// Sends a batch.
    case send(Lease)
    /// Waits until an instant or until something changes; without an instant, until something changes.
    case wait(until: MonotonicInstant?)
    /// Looks again, once the change that comes with the step is committed.
    case again
}

/// A batch on its way: what the lane sends, and what is needed to settle it.
struct Lease: Sendable {
    let batch: OutgoingBatch
    var stored: StoredBatch
    var packs: [Pack]
    /// The word about consent that the batch was leased under; a request is begun only while it is the last one.
    let word: ConsentWord
    /// How often something had been erased then; a request is begun only while nothing more is to be.
    let erasures: Int
    /// Whether the other half of a bisected suspect batch has been refused already.
    let isLastHalf: Bool

    /// The lease with the places that its packs have by now, which a move to another file changes.
    ///
    /// `nil` where the batch is not there any more.
    func following(_ batches: [StoredBatch]) -> Lease? {
        guard let current = batches.first(where: { $0.id == stored.id }), current.packs.count == packs.count else {
            return nil
        }
        guard current.packs != stored.packs else { return self }
        var moved = self
        moved.stored.packs = current.packs
        moved.packs = zip(packs, current.packs).map { $0.moved(to: $1) }
        return moved
    }
}

/// What a lane's methods are told beside the time: where to read, how old events may become, how ids are made, and
/// what consent stands.
struct LaneContext {
    let outbox: any Outbox
    let now: StoredMoment
    let expiry: Expiry
    let newID: () -> EventID
    /// What has been said about each purpose.
    var consents: [ConsentPurpose: Consent] = [:]
    /// How often something has been erased.
    var erasures = 0
}

/// How old an event may become: by the monotonic clock within one boot, otherwise by the receiver's clock.
struct Expiry: Sendable {
    /// The longest time that an event may wait.
    let age: Duration
    /// The time that a receiver has named, where this device's wall clock agreed with it.
    var receiverTime: StoredMoment?

    /// Whether something that was stored at a moment is too old.
    func isExpired(_ stored: StoredMoment, at now: StoredMoment) -> Bool {
        if stored.boot == now.boot, stored.boot != 0 { return stored.monotonic.duration(to: now.monotonic) > age }
        return isExpired(stored.wall, at: now.monotonic)
    }

    /// Whether something of a wall time is too old by the receiver's clock.
    ///
    /// An age of many times the limit says that a clock was wrong when the event was stored, so it does not count.
    func isExpired(_ wall: Timestamp, at now: MonotonicInstant) -> Bool {
        guard let receiverTime else { return false }
        let (microseconds, overflow) = receiverTime.wall.microseconds.subtractingReportingOverflow(wall.microseconds)
        guard !overflow else { return false }
        let passed = Duration.microseconds(microseconds) + receiverTime.monotonic.duration(to: now)
        return passed > age && passed < age * 10
    }
}

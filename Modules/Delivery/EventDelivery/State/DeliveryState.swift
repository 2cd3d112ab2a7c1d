import CoreTracker
import EventOutbox
import EventTracking
import Locks

/// The store's state: the storage, all lanes, the decisions, the journal of events and the pending flushes.
///
/// It is confined to the store's executor. A function that changes lanes passes the change to `commit`, which records
/// it and publishes the ledgers only then.
final class DeliveryState {
    let buffer: EventBuffer
    let configuration: DeliveryConfiguration
    let storage: OutboxStorage
    /// The lanes.
    var lanes: LaneTable
    /// The row of the state, with the decisions and the pending erasures.
    var row = StateRow()
    /// Whether damage has lost the row of the state.
    var isRowLost = false
    /// The number of the last denial or erasure.
    var lastCovering: UInt64 = 0
    /// The number of stored events erased for each user, until a caller asks for it.
    private var erasedCounts: [UserHash?: Int] = [:]
    /// The exchange of decisions with the app or its extensions.
    let exchange: DecisionExchange
    var quarantine: Quarantine
    var journal = EventJournal()
    private(set) var isStopped = false
    private var expiry: Expiry
    /// The time of the next search for expired events.
    private var nextExpiry = MonotonicInstant(nanoseconds: .min)
    private var flushes = FlushBook()
    /// The flushes that wait for the outbox to open.
    private(set) var earlyFlushes: [Flush] = []
    /// The state at the last release of the directory.
    var released = ReleasedDirectory()
    private let boot: UInt32
    let newID: @Sendable () -> EventID

    init(buffer: EventBuffer, configuration: DeliveryConfiguration) {
        let clock = buffer.clock
        var random = buffer.runtime.generator
        let ids = EventIDGenerator(seed: &random)
        newID = { ids.next(at: clock.wallTime()) }
        self.buffer = buffer
        self.configuration = configuration.withoutOwnDecisionsIfFollowing
        exchange = DecisionExchange(configuration.sharing)
        boot = StoredMoment.checksum(ofBoot: clock.bootID)
        expiry = Expiry(age: configuration.budget.age)
        quarantine = Quarantine(budget: configuration.budget)
        lanes = LaneTable(buffer: buffer, destinations: configuration.destinations) { lane in
            configuration.laneSchedules[lane] ?? configuration.schedule
        }
        storage = OutboxStorage(directory: configuration.directory, budget: configuration.budget, buffer: buffer)
    }

    /// Whether the outbox is open.
    var isOpen: Bool { !isStopped && !storage.isWaiting }

    /// The current time in its stored form.
    var moment: StoredMoment {
        StoredMoment(wall: buffer.clock.wallTime(), monotonic: buffer.clock.monotonicTime(), boot: boot)
    }

    /// Publishes the ledgers and statuses of lanes that have moved, wakes their runners, and ends the flushes for which
    /// they were the last ones.
    ///
    /// While this process waits for its directory, the statuses have the reason.
    ///
    /// - Parameters:
    ///   - indices: The lanes.
    ///   - group: The group that is stored now, if any.
    func publish(_ indices: [Int], storing group: BufferedGroup? = nil) {
        let reason = storage.isWaiting ? storage.failure : nil
        let (statuses, areHeld) = lanes.publish(indices, storing: group, waiting: reason)
        // The observer sees other causes by their diagnostics, and looks whether a reported one has ended.
        let observation = buffer.observation
        if areHeld || observation.hasCauses && statuses.contains(where: { !$0.status.isHeld }) {
            observation.planLook()
        }
        guard isOpen else { return }
        let now = buffer.clock.monotonicTime()
        for (lane, status) in statuses { flushes.moved(lane, status, at: now) }
    }

    /// Publishes the ledgers and statuses of all lanes.
    func publishAll() { publish(Array(lanes.indices)) }

    /// Returns the input for a lane's decisions.
    ///
    /// - Parameter number: The decision number of the last decision or erasure considered by the store.
    func context(number: UInt64 = 0) -> LaneContext {
        LaneContext(
            outbox: storage.outbox,
            row: row,
            now: moment,
            expiry: expiry,
            newID: newID,
            consents: buffer.consents,
            number: number,
            random: buffer.runtime.generator
        )
    }

    /// Uses the rows of an opened or replaced outbox.
    ///
    /// Lanes missing from the outbox get unused lane numbers.
    func restore(_ opened: OpenedOutbox) {
        let rows = opened.rows
        (row, isRowLost) = (rows.state ?? StateRow(), rows.state == nil)
        (lastCovering, storage.outbox.hasLeftovers) = (row.number, rows.hasLeftovers)
        quarantine.events = rows.quarantined
        lanes.restore(rows)
        for index in lanes.indices { lanes[index].refreshHead(from: storage.outbox) }
        guard let losses = opened.losses else { return }
        buffer.diagnostics.send(.recovered(events: lanes.queues.reduce(0) { $0 + $1.stored.ledger.pending }))
        var change = LaneChange()
        for (lane, count) in losses { change.lose(count, .corrupted, on: lane) }
        announce(change)
    }

    /// Uses the rows of a newly opened outbox, possibly after another process has used it.
    ///
    /// Corrects the ledgers to match the rows, continues the counts of this process, and counts the events held only in
    /// memory when the directory was released.
    ///
    /// - Parameters:
    ///   - opened: The contents.
    ///   - isFirst: Whether this is the first opening, with which the counts of this engine begin.
    func open(_ opened: OpenedOutbox, isFirst: Bool) {
        let known = lanes.queues.map { (ledger: $0.stored.ledger, opening: $0.opening) }
        var (opened, change) = (opened, LaneChange())
        let unused = unusedLanes(of: opened.rows)
        for lane in opened.rows.lanes where unused.contains(lane.number) { change.outbox.remove(lane) }
        opened.rows.lanes.removeAll { unused.contains($0.number) }
        if opened.isNew, !isFirst {
            // The directory is lost, and with it the rows of the decisions. The decisions of the user are not.
            var lost = StateRow()
            (lost.decisions, lost.number) = (row.decisions, row.number)
            opened.rows.state = lost
        }
        restore(opened)
        let context = context()
        let refused = quarantine.events.counts(by: \.lane)
        for index in lanes.indices {
            let id = lanes[index].id
            // If a denial may cover the events of a damaged lane, all of them are dropped.
            if lanes[index].stored.isDamaged, !isRowLost, !row.isUnclean {
                try? lanes[index].recount(context, change: &change)
            }
            lanes[index].correctLedger(quarantined: refused[id] ?? 0, change: &change)
            if !isFirst, index < known.count {
                continueCounts(of: known[index], lane: index, isNew: opened.isNew, change: &change)
            } else {
                lanes[index].opening = lanes[index].stored.ledger
            }
            // Without another process, the state in memory is the later one.
            if isFirst || released.generation != row.generation { lanes[index].restoreRetryState(at: context.now) }
        }
        commit(change)
    }

    /// Continues this process's counts of a lane with the ledger of the opened file, and counts the missing events.
    ///
    /// - Parameters:
    ///   - known: The ledger at the release, and the ledger with which this process's counts began before.
    ///   - index: The lane.
    ///   - isNew: Whether the outbox is new, so it lacks the events of the released one.
    ///   - change: Receives the row and the losses.
    private func continueCounts(
        of known: (ledger: LaneLedger, opening: LaneLedger),
        lane index: Int,
        isNew: Bool,
        change: inout LaneChange
    ) {
        let before =
            released.lanes.removeValue(forKey: lanes[index].id)
            ?? ReleasedLane(known: known.ledger, stored: known.ledger, pending: 0, quarantined: 0)
        var ledger = lanes[index].stored.ledger
        let missing = before.missing(in: ledger)
        lanes[index].opening = ledger.continueCounts(of: known.ledger, since: known.opening, before)
        if ledger != lanes[index].stored.ledger {
            lanes[index].stored.ledger = ledger
            change.outbox.save(lanes[index].stored)
        }
        lose(before.lost, .bufferFull, lane: index, change: &change)
        lose(missing, .corrupted, lane: index, change: &change)
        if isNew, missing > 0 { released.hasLoss = true }
    }

    /// Returns the lane numbers of lanes to forget.
    ///
    /// They have no destination and no events, this process has not requested them, and no event of them was delivered
    /// within the maximum age of an event. If there are too many lanes, the age does not count.
    private func unusedLanes(of rows: OutboxRows) -> Set<Int> {
        let requested = Set(buffer.withLanes { $0.lanes.map(\.id) })
        let quarantined = Set(rows.quarantined.map(\.lane))
        let isCrowded = rows.lanes.count > BufferLanes.maximum
        // Another lane must not get the number of one whose segments are still in the file.
        let hasGone = rows.hasLeftovers || rows.state?.isUnclean ?? true
        let oldest = moment.wall.advanced(bySeconds: -configuration.budget.age.components.seconds)
        let unused = rows.lanes.filter { lane in
            let isRecent = lane.receiver.lastSuccess.map { $0 > oldest } ?? false
            return !requested.contains(lane.id) && !quarantined.contains(lane.id) && !lane.isDamaged && !hasGone
                && lane.counts.total == 0 && lane.ledger.pending == 0 && (isCrowded || !isRecent)
        }
        return Set(unused.map(\.number))
    }

    /// Counts events accepted and lost by this process.
    private func lose(_ count: Int, _ reason: DropReason, lane index: Int, change: inout LaneChange) {
        guard count > 0 else { return }
        lanes[index].stored.ledger.accepted += count
        lanes[index].opening.accepted += count
        lanes[index].stored.ledger.drop(count, reason)
        change.outbox.save(lanes[index].stored)
        change.lose(count, reason, on: lanes[index].id)
    }

    /// Closes the file, releases the directory and waits for it again.
    ///
    /// - Parameter reason: The reason for the wait.
    func releaseDirectory(_ reason: OutboxError) {
        guard isOpen, storage.outbox.isFile else {
            if reason == .suspended { storage.suspend() }
            return
        }
        noteRelease()
        released.generation = row.generation
        storage.giveUp(reason)
        buffer.awaitDirectory()
        publishAll()
    }

    /// Records the lanes as the next process will find them, with the number of events that it will not find.
    private func noteRelease() {
        let (isFile, stored) = (storage.outbox.isFile, storage.outbox.storedLanes)
        let kept = storage.outbox.unsavedEvents(beyond: stored)
        for lane in lanes.queues {
            let pending = kept.pending.reduce(0) { $0 + ($1.place.lane == lane.stored.number ? $1.count : 0) }
            released.lanes[lane.id] = ReleasedLane(
                known: lane.stored.ledger,
                stored: isFile ? stored.map { $0[lane.stored.number]?.ledger ?? LaneLedger() } : LaneLedger(),
                pending: isFile ? pending : lane.stored.ledger.pending,
                quarantined: kept.quarantined.count { $0.lane == lane.id }
            )
        }
    }

    /// Stores the retry states of the lanes.
    ///
    /// It is called before the last events are stored and the outbox is closed.
    func storeRetryStates() {
        let now = moment
        for index in lanes.indices { lanes[index].storeRetryState(at: now) }
        var change = OutboxChange()
        for lane in lanes.rows { change.save(lane) }
        record(change)
    }

    /// Closes the outbox, counts the events that are only in memory, and ends all pending flushes and receipts.
    ///
    /// No change is possible afterwards.
    func close() {
        if isOpen { noteRelease() }
        isStopped = true
        let reason: DropReason = storage.failure == .full ? .storageFull : .closed
        // These events fitted neither on disk nor in memory.
        buffer.giveUpBuffered(reason)
        var change = LaneChange()
        for index in lanes.indices {
            guard let lane = released.lanes[lanes[index].id] else { continue }
            lanes[index].stored.ledger.quarantined -= lane.lostQuarantined
            lanes[index].stored.ledger.drop(lane.lost, reason)
            change.lose(lane.lost, reason, on: lanes[index].id)
        }
        announce(change)
        storage.close(losing: reason)
        flushes.endAll()
        for flush in earlyFlushes { flush.deadline.end() }
        buffer.wake.signal()
        publishAll()
    }
}

/// Changes.
extension DeliveryState {
    /// Empties a lane because of a decision or of damage.
    ///
    /// - Parameters:
    ///   - index: The lane's index.
    ///   - reason: The reason for the loss of its events.
    ///   - change: Receives the change.
    func empty(lane index: Int, _ reason: DropReason, change: inout LaneChange) {
        let (id, lost) = (lanes[index].id, lanes[index].empty(reason, change: &change.outbox))
        quarantine.events.removeAll { $0.lane == id }
        storage.receipts.lose(reason) { $0.lane == index }
        change.lose(lost, reason, on: id)
    }

    /// Publishes the committed removal of erased users' events.
    func finishErasure(of quarantined: [QuarantinedEvent], _ change: LaneChange, touching touched: Set<Int>) {
        let gone = Set(quarantined.map(\.id))
        if !gone.isEmpty { quarantine.events.removeAll { gone.contains($0.id) } }
        for index in touched {
            lanes[index].refreshHead(from: storage.outbox)
            journal.forget(lanes[index].id)
        }
        announce(change)
        publish(Array(touched))
    }

    /// Adds to the number of events erased for a user, or for all users.
    func countErased(_ count: Int, of user: UserHash?) {
        // No caller waits for the count of an erasure requested before the opening.
        if erasedCounts.count >= CurrentDecisions.maximum { erasedCounts = [:] }
        erasedCounts[user, default: 0] += count
    }

    /// Returns the number of events erased for a user, or for all users, since the last call.
    func takeErasedCount(of user: UserHash?) -> Int { erasedCounts.removeValue(forKey: user) ?? 0 }

    /// Commits a change that has already happened, such as an acknowledgement.
    ///
    /// If the disk fails, the change is kept in memory.
    func record(_ change: OutboxChange) {
        guard !change.isEmpty else { return }
        guard storage.state.acceptsChanges else {
            storage.keep(change)
            // Delivery may have freed space in memory.
            return buffer.wake.signal()
        }
        do throws(OutboxError) {
            try storage.commit(change)
        } catch {
            storage.keep(change)
            handle(error)
        }
    }

    /// Commits a change of lanes.
    ///
    /// Then completes receipts, sends diagnostics and publishes the lanes.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - indices: The indices of further lanes to publish.
    ///   - isStored: Whether the change is in the outbox already.
    func commit(_ change: LaneChange, touching indices: Set<Int> = [], isStored: Bool = false) {
        for events in change.settled { storage.receipts.lose(events) }
        if !isStored { record(change.outbox) }
        let touched = Array(indices.union(change.outbox.savedLanes.map { lanes.index(of: $0.id) }))
        refreshHeads(of: touched, after: change.outbox)
        for events in change.settled {
            journal.record(events)
            storage.receipts.complete(events)
        }
        announce(change)
        publish(touched)
    }

    /// Sends the diagnostics and publishes the outcomes of a completed change.
    func announce(_ change: LaneChange) {
        for diagnostic in change.diagnostics { buffer.diagnostics.send(diagnostic) }
        publishOutcomes(of: change.settled)
    }

    /// Publishes the outcomes of settled events, if there is any listener.
    func publishOutcomes(of settled: [SettledEvents]) {
        guard buffer.outcomes.hasListeners else { return }
        buffer.outcomes.publish(settled.flatMap(\.outcomes))
    }

    /// Refreshes the oldest segment of each lane if the change removed segments.
    func refreshHeads(of touched: [Int], after change: OutboxChange) {
        guard change.segments.contains(where: { $0.value == nil }) else { return }
        for index in touched { lanes[index].refreshHead(from: storage.outbox) }
    }
}

/// Sending.
extension DeliveryState {
    /// Returns the next step of a lane.
    ///
    /// If it cannot be read, the lane waits for the storage.
    ///
    /// - Parameters:
    ///   - index: The lane's index.
    ///   - number: The decision number of the last decision or erasure considered by the store.
    func chooseStep(lane index: Int, number: UInt64) -> LaneStep {
        var (queue, change) = (lanes[index], LaneChange())
        do throws(OutboxError) {
            let step = try queue.chooseStep(context(number: number), change: &change)
            lanes[index] = queue
            if case .send = step {
                storage.succeededToRead()
                wakeOthers(of: index)
                buffer.observation.planLook(in: LaneStatistics.patience)
            }
            if !change.isEmpty { commitWithQuarantine(&change, touching: [index]) }
            return step
        } catch {
            if storage.failedToRead(error) { handle(.corrupt) }
            return .wait(until: nil)
        }
    }

    /// Makes the events of other lanes due if a lane starts a request by its own schedule.
    private func wakeOthers(of index: Int) {
        guard lanes[index].schedule.takeWake() else { return }
        for other in lanes.waiting where other != index {
            lanes[other].schedule.becomeDue(below: lanes[other].stored.nextNumber)
            lanes.wakes[other].signal()
        }
    }

    /// Completes a lease.
    ///
    /// Returns whether the lane's other requests should be cancelled.
    func complete(_ lease: Lease, _ outcome: RequestOutcome, lane index: Int) -> Bool {
        if buffer.observation.isDetailed {
            buffer.observation.note(outcome.note(lanes[index].id, events: lease.batch.events.count))
        }
        var change = LaneChange()
        let isTimeKnown = expiry.receiverTime != nil
        trustReceiverTime(outcome.attempt)
        let isUseless = lanes[index].complete(lease, outcome, context(), change: &change)
        if lanes[index].stored.receiver.lastFailure != nil { buffer.observation.planLook() }
        commitWithQuarantine(&change, touching: [index])
        if !isTimeKnown, expiry.receiverTime != nil { dropExpired() }
        return isUseless
    }

    /// Adds quarantined events within the limits, then commits the change.
    private func commitWithQuarantine(_ change: inout LaneChange, touching indices: Set<Int>) {
        quarantine.add(lanes: &lanes, expiry: expiry, now: moment, change: &change)
        commit(change, touching: indices)
    }

    /// Trusts the receiver's clock if the device's clock agrees with it.
    private func trustReceiverTime(_ attempt: Attempt) {
        guard attempt.receiverTime != nil else { return }
        let now = moment
        expiry.receiverTime = attempt.agreedTime(at: now.wall).map {
            StoredMoment(wall: $0, monotonic: now.monotonic, boot: boot)
        }
    }

    /// The quarantined events, except those of erased users, oldest first.
    var visibleQuarantined: [QuarantinedEvent] {
        quarantine.events.filter { !row.isErased($0.user, $0.decision) }
    }

    /// Changes quarantined events, and commits the change.
    ///
    /// If the disk refuses the change, nothing changes, because the next start would find the events quarantined again.
    ///
    /// - Parameters:
    ///   - ids: The events. Events of erased users are left out.
    ///   - body: Makes the change.
    /// - Returns: The number of events that left the quarantine.
    func changeQuarantine(_ ids: Set<EventID>, _ body: Quarantine.Change) -> Int {
        guard isOpen, storage.state.acceptsChanges else { return 0 }
        var (kept, queues, change) = (quarantine, lanes, LaneChange())
        body(&kept, ids.intersection(visibleQuarantined.map(\.id)), &queues, &change)
        let ids = change.outbox.removedQuarantined
        guard !ids.isEmpty else { return 0 }
        do throws(OutboxError) {
            try storage.commit(change.outbox)
        } catch {
            handle(error)
            return 0
        }
        (quarantine, lanes) = (kept, queues)
        journal.forget(ids)
        commit(change, isStored: true)
        return ids.count
    }
}

/// Expiry.
extension DeliveryState {
    /// The time between two searches for expired events.
    private static let expiryInterval: Duration = .seconds(3600)
    /// The approximate size of the events dropped in one turn of the store, in bytes.
    private static let expiryStep = 1_000_000

    /// The due time of the next search for expired events, or `nil` if no event is stored.
    var expiryDue: MonotonicInstant? {
        guard isOpen, storage.state.isReadable else { return nil }
        return quarantine.events.isEmpty && lanes.total.events == 0 ? nil : nextExpiry
    }

    /// Drops expired events of the lanes, including lanes that send nothing, and of the quarantine.
    ///
    /// If there are too many for one turn of the store, the next search is due at once.
    func dropExpired() {
        guard isOpen, storage.state.isReadable else { return }
        let context = context()
        var (change, room) = (LaneChange(), DeliveryState.expiryStep)
        for index in lanes.indices { lanes[index].dropExpired(context, room: &room, change: &change) }
        quarantine.cap(lanes: &lanes, expiry: expiry, now: context.now, change: &change)
        nextExpiry = context.now.monotonic.advanced(by: room > 0 ? DeliveryState.expiryInterval : .zero)
        if room <= 0 { buffer.wake.signal() }
        if !change.isEmpty { commit(change) }
    }
}

/// Flushes.
extension DeliveryState {
    /// Adds a flush that waits for all events tracked so far.
    ///
    /// Lanes with a back-off skip it, at most once in 30 s. While the outbox is not open, the flush waits for it.
    func begin(_ flush: Flush) {
        guard !isStopped else { return flush.deadline.end() }
        guard isOpen else {
            earlyFlushes.removeAll { $0.deadline.isEnded }
            return earlyFlushes.append(flush)
        }
        lanes.adopt()
        let unstored = storage.hasRoom ? [] : buffer.ledgers.map(\.unstored)
        let now = moment
        var targets: [Int: Int64] = [:]
        for index in lanes.busy.union(unstored.indices.filter { unstored[$0] > 0 }) {
            let target = lanes[index].stored.nextNumber + Int64(index < unstored.count ? unstored[index] : 0)
            targets[index] = target
            if lanes[index].skipWait(below: target, at: now) { publish([index]) }
        }
        flush.targets.withLock { $0 = targets }
        flushes.add(flush, targets.map { ($0, lanes[$0].status, $1) }, at: now.monotonic)
    }

    /// Begins the flushes from before the opening.
    func beginEarlyFlushes() {
        guard isOpen else { return }
        for flush in earlyFlushes { begin(flush) }
        earlyFlushes = []
    }
}

/// The state at the last release of the directory, for its next opening.
struct ReleasedDirectory {
    /// The generation of the file, or `nil` before the first opening.
    ///
    /// If it differs at the next opening, another process has used the directory, and its denials replace the grants of
    /// this process.
    var generation: UInt64?
    /// The lanes at the release, which are removed at the next opening.
    fileprivate var lanes: [LaneID: ReleasedLane] = [:]
    /// Whether a directory with events was lost, and no decision has been refused since.
    var hasLoss = false
}

import CoreTracker
import EventBuffer

/// The store's state: the outbox, all lanes, the status of recent events and the pending flushes.
///
/// It is confined to the store's executor. A function that changes lanes passes the change to `apply`, which commits it
/// and publishes the ledgers only then.
final class LaneBooks {
    let buffer: EventBuffer
    let clock: any DeliveryClock
    let diagnostics: DiagnosticStream
    let keeper: OutboxKeeper
    var lanes: LaneTable
    var statuses = RecentStatuses()
    /// The number of the event buffer's erasures that were processed.
    var erasures = 0
    private(set) var isStopped = false
    /// Whether the directory is open or not needed.
    private(set) var isOpen = false
    private let budget: DeliveryBudget
    private let boot: UInt32
    private let newID: @Sendable () -> EventID
    private var expiry: Expiry
    private var tickets: [FlushTicket] = []
    private var hadFailed = false

    init(buffer: EventBuffer, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        let (clock, runtime) = (buffer.clock, buffer.runtime)
        var random = runtime.generator
        let ids = EventIDGenerator(seed: &random)
        let newID: @Sendable () -> EventID = { ids.next(at: clock.wallTime()) }
        self.buffer = buffer
        self.clock = clock
        self.diagnostics = diagnostics
        self.newID = newID
        budget = configuration.budget
        boot = StoredMoment.checksum(ofBoot: clock.bootID)
        expiry = Expiry(age: configuration.budget.age)
        lanes = LaneTable(buffer: buffer, destinations: configuration.destinations)
        keeper = OutboxKeeper(
            directory: configuration.directory,
            clock: clock,
            diagnostics: diagnostics,
            wake: buffer.wake,
            runtime: runtime
        )
    }

    /// The current time in its stored form.
    var moment: StoredMoment {
        StoredMoment(wall: clock.wallTime(), monotonic: clock.monotonicTime(), boot: boot)
    }

    /// The input for a lane's decisions.
    var context: LaneContext {
        LaneContext(
            outbox: keeper.outbox,
            now: moment,
            expiry: expiry,
            newID: newID,
            consents: buffer.withLanes { $0.consents },
            erasures: erasures
        )
    }

    /// The quarantine of all lanes.
    var quarantine: Quarantine {
        Quarantine(outbox: keeper.outbox, budget: budget, expiry: expiry, now: moment)
    }

    /// A finder for the events of all lanes.
    var finder: EventFinder {
        EventFinder(lanes: lanes.queues, outbox: keeper.outbox, statuses: statuses)
    }

    /// Uses the opened directory, and restores the retry states of the lanes.
    func takeUp(_ opened: OpenedDirectory) {
        lanes.adopt()
        keeper.takeUp(opened, lanes: &lanes)
        let words = buffer.withLanes { $0.lastWords }
        for index in lanes.indices { lanes[index].consent = words[index] }
        keeper.installation.open(opened.installation, in: keeper.held?.directory.url, isAllowed: lanes.mayIdentify)
        let now = moment
        for index in lanes.indices { lanes[index].restoreRetryState(at: now) }
        isOpen = true
        lanes.publish(lanes.indices)
        diagnostics.send(.opened(pending: lanes.queues.reduce(0) { $0 + $1.stored.ledger.pending }))
    }

    /// Waits for the directory again because another process has used it.
    func startOver() {
        isOpen = false
        lanes.publish(lanes.indices)
    }

    /// Stores the retry states of the lanes.
    ///
    /// It is called before the last events are stored and the outbox is closed.
    func storeRetryStates() {
        let now = moment
        for index in lanes.indices { lanes[index].storeRetryState(at: now) }
        var change = OutboxChange()
        change.lanes = lanes.rows
        keeper.record(change, lanes: &lanes)
    }

    /// Closes the outbox, and ends all pending flushes and receipts.
    ///
    /// No change is possible afterwards.
    func close() {
        isStopped = true
        // These events fitted neither on disk nor in memory.
        buffer.giveUpBuffered()
        keeper.close()
        for ticket in tickets { ticket.end() }
        tickets = []
        buffer.wake.signal()
        lanes.publish(lanes.indices)
    }

    /// Stores the installation's ID once the user has agreed to a purpose, and replaces it when the last purpose is
    /// denied.
    func updateInstallation() {
        if lanes.mayIdentify { return keeper.identify() }
        guard lanes.queues.contains(where: { $0.destination != nil && $0.consent.consent == .denied }) else {
            return
        }
        // After a reset, events from before and after it must not share an installation ID.
        keeper.renewInstallation(buffer.identity.value.deviceID)
        guard let id = keeper.forgetInstallation() else { return }
        buffer.identity.change { $0.deviceID = id }
    }

    /// Commits a change of lanes.
    ///
    /// Then completes receipts, sends diagnostics and publishes the lanes.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - indices: The indices of further lanes to publish.
    func apply(_ change: LaneChange, touching indices: Set<Int>) {
        keeper.record(change.outbox, lanes: &lanes)
        let touched = indices.union(change.outbox.lanes.map { lanes.index(of: $0.id) })
        refreshHeads(of: touched, after: change.outbox)
        for (id, lane, status) in change.statuses {
            statuses.note(id, lane: lane, status)
            if case .dropped(let reason) = status {
                keeper.note(reason, of: id)
            } else {
                // A delivered event no longer needs to be stored.
                keeper.confirm([id], .persisted)
            }
        }
        for diagnostic in change.diagnostics { diagnostics.send(diagnostic) }
        lanes.publish(touched)
        finishTurn()
    }

    /// Refreshes the oldest segment of each lane if the change removed segments.
    func refreshHeads(of touched: some Sequence<Int>, after change: OutboxChange) {
        guard !change.removed.isEmpty else { return }
        for index in touched { lanes[index].refreshHead(from: keeper.outbox) }
    }

    /// Returns the next step of a lane.
    ///
    /// If it cannot be read, the lane waits for the storage.
    func nextStep(lane index: Int) -> LaneStep {
        var (queue, change) = (lanes[index], LaneChange())
        do throws(OutboxError) {
            let step = try queue.nextStep(context, change: &change)
            lanes[index] = queue
            if case .send = step { keeper.noteRead() }
            if !change.outbox.insertedQuarantined.isEmpty { quarantine.cap(lanes: &lanes, change: &change) }
            if !change.isEmpty { apply(change, touching: [index]) }
            return step
        } catch {
            keeper.handleRead(error, lanes: &lanes)
            finishTurn()
            return .wait(until: nil)
        }
    }

    /// Settles a lease.
    ///
    /// Returns whether the lane's other requests should be cancelled.
    func settle(_ lease: Lease, _ settlement: Settlement, lane index: Int) -> Bool {
        var (change, random) = (LaneChange(), buffer.runtime.generator)
        let isTimeKnown = expiry.receiverTime != nil
        noteReceiverTime(settlement.attempt)
        let isUseless = lanes[index].complete(lease, settlement, context, using: &random, change: &change)
        if !isTimeKnown, expiry.receiverTime != nil { expireForgotten(change: &change) }
        if !change.outbox.insertedQuarantined.isEmpty { quarantine.cap(lanes: &lanes, change: &change) }
        apply(change, touching: [index])
        return isUseless
    }

    /// Trusts the receiver's clock if the device's clock agrees with it.
    private func noteReceiverTime(_ attempt: Attempt) {
        guard attempt.receiverTime != nil else { return }
        let now = moment
        expiry.receiverTime = attempt.agreedTime(at: now.wall).map {
            StoredMoment(wall: $0, monotonic: now.monotonic, boot: boot)
        }
    }

    /// Drops the expired events of lanes without a destination, and expired held events.
    private func expireForgotten(change: inout LaneChange) {
        let context = context
        for index in lanes.indices {
            if lanes[index].destination == nil, lanes[index].usage.totalEvents > 0 {
                lanes[index].expireForgotten(context, change: &change)
                change.outbox.note(lanes[index].stored)
            }
            if lanes[index].usage.heldEvents > 0 {
                lanes[index].expireHeld(context, change: &change)
                change.outbox.note(lanes[index].stored)
            }
        }
        quarantine.cap(lanes: &lanes, change: &change)
    }

    /// Makes the held events of lanes deliverable after the user has agreed.
    func releaseHeld(_ granted: [Int]) {
        guard !granted.isEmpty else { return }
        var change = OutboxChange()
        change.grantedLanes = granted.map { lanes[$0].stored.number }
        keeper.record(change, lanes: &lanes)
        var corrections = LaneChange()
        for index in granted {
            if let usage = try? keeper.outbox.usage(lane: lanes[index].stored.number) {
                lanes[index].usage = usage
                // A damaged file may count more events than it contains.
                lanes[index].correctLedger(change: &corrections)
            } else {
                lanes[index].grantUnread()
            }
            lanes[index].refreshHead(from: keeper.outbox)
        }
        if !corrections.isEmpty { apply(corrections, touching: Set(granted)) }
    }

    /// Adds a flush that waits for all events tracked so far.
    ///
    /// All lanes skip their back-off.
    func wait(for ticket: FlushTicket) {
        tickets.append(ticket)
        startTickets()
    }

    /// Whether a flush is pending.
    var hasTickets: Bool { tickets.contains { !$0.isEnded } }

    /// Determines the events that new flushes wait for, if the directory is open.
    func startTickets() {
        let new = tickets.filter { $0.targets == nil }
        guard isOpen, !new.isEmpty else { return }
        let now = moment
        lanes.adopt()
        for index in lanes.indices { lanes[index].skipBackoff(at: now) }
        lanes.publish(lanes.indices)
        let unstored = keeper.hasRoom ? [] : buffer.ledgers.map(\.unstored)
        let targets = Dictionary(
            uniqueKeysWithValues: lanes.indices.map { index in
                (index, lanes[index].stored.nextNumber + Int64(index < unstored.count ? unstored[index] : 0))
            }
        )
        for ticket in new { ticket.targets = targets }
        finishTurn()
    }

    /// Completes flushes whose events are settled, and wakes lanes if the storage has recovered.
    func finishTurn() {
        if hadFailed, keeper.failure == nil { lanes.publish(lanes.indices) }
        hadFailed = keeper.failure != nil
        guard !tickets.isEmpty else { return }
        tickets.removeAll { ticket in
            guard let targets = ticket.targets, !ticket.isEnded else { return ticket.isEnded }
            let isSettled = targets.allSatisfy { index, target in
                let outcome = lanes[index].status.outcome(target: target, isOpen: true, deadline: ticket.deadline)
                return outcome != .deadlinePassed
            }
            if isSettled { ticket.end() }
            return isSettled
        }
    }

    /// Returns the statistics of each lane, sorted by lane.
    func statistics() -> [LaneStatistics] {
        lanes.adopt()
        let (now, ledgers) = (moment, buffer.ledgers)
        return zip(lanes.queues, ledgers).map { lane, known in
            LaneStatistics(
                id: lane.id,
                ledger: known.ledger,
                opening: lane.opening,
                oldestQueuedAge: lane.usage.oldest.map { $0.age(at: now) },
                lastSuccess: lane.stored.lastSuccess,
                purpose: lane.stored.purpose,
                status: lane.status,
                nextAttempt: lane.retryState.reason.map { _ in
                    max(.zero, now.monotonic.duration(to: lane.retryState.notBefore))
                },
                lastFailure: lane.stored.lastFailure.map(LaneFailure.init),
                request: lane.oldestRequest.map { (max(.zero, $0.start.duration(to: now.monotonic)), $0.receiver) },
                storageFailure: keeper.failure,
                now: now.wall
            )
        }
        .sorted { $0.id < $1.id }
    }

    /// Counts the stored events of each lane by reading them.
    func storedEvents() -> [LaneID: StoredEvents] {
        lanes.adopt()
        let (finder, ledgers) = (finder, buffer.ledgers)
        return zip(lanes.queues, ledgers).reduce(into: [:]) { result, pair in
            let found = finder.count(pair.0)
            result[pair.0.id] = StoredEvents(
                pending: found.pending + pair.1.unstored,
                quarantined: found.quarantined,
                ledger: pair.1.ledger
            )
        }
    }

    /// Changes the quarantine, and commits the change.
    ///
    /// - Parameter body: Makes the change.
    /// - Returns: The number of events that left the quarantine.
    func changeQuarantine(_ body: (Quarantine, inout LaneTable, inout LaneChange) -> Void) -> Int {
        guard !isStopped else { return 0 }
        var change = LaneChange()
        body(quarantine, &lanes, &change)
        let ids = change.outbox.removedQuarantined
        guard !ids.isEmpty else { return 0 }
        statuses.forget(ids)
        apply(change, touching: [])
        return ids.count
    }
}

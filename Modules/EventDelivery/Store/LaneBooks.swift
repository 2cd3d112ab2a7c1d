import CoreTracker
import EventBuffer

/// What is stored and what is known of it: the outbox behind its keeper, the lanes, the last fates of events and the
/// flushes that wait.
///
/// It is confined to the store's executor. Whoever changes lanes does it here and hands the change to `apply`, which
/// commits it and publishes the ledgers only then.
final class LaneBooks {
    let intake: Intake
    let clock: any DeliveryClock
    let diagnostics: DiagnosticStream
    let keeper: OutboxKeeper
    var lanes: LaneTable
    var fates = RecentFates()
    /// How many of the intake's erasures have been looked at.
    var erasures = 0
    private(set) var isStopped = false
    /// Whether the directory has been opened, or is not needed.
    private(set) var isOpen = false
    private let budget: DeliveryBudget
    private let boot: UInt32
    private let newID: @Sendable () -> EventID
    private var expiry: Expiry
    private var tickets: [FlushTicket] = []
    private var hadFailed = false

    init(intake: Intake, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        let (clock, runtime) = (intake.clock, intake.runtime)
        var random = runtime.generator
        let ids = EventIDGenerator(seed: &random)
        let newID: @Sendable () -> EventID = { ids.next(at: clock.wallTime()) }
        self.intake = intake
        self.clock = clock
        self.diagnostics = diagnostics
        self.newID = newID
        budget = configuration.budget
        boot = StoredMoment.checksum(ofBoot: clock.bootID)
        expiry = Expiry(age: configuration.budget.age)
        lanes = LaneTable(intake: intake, destinations: configuration.destinations)
        keeper = OutboxKeeper(
            directory: configuration.directory,
            clock: clock,
            diagnostics: diagnostics,
            wake: intake.wake,
            runtime: runtime
        )
    }

    /// The time as it is stored.
    var moment: StoredMoment {
        StoredMoment(wall: clock.wallTime(), monotonic: clock.monotonicTime(), boot: boot)
    }

    /// What a lane needs to decide.
    var context: LaneContext {
        LaneContext(
            outbox: keeper.outbox,
            now: moment,
            expiry: expiry,
            newID: newID,
            consents: intake.withLanes { $0.consents },
            erasures: erasures
        )
    }

    /// Reads and changes of the quarantine.
    var quarantine: Quarantine {
        Quarantine(outbox: keeper.outbox, budget: budget, expiry: expiry, now: moment)
    }

    /// Searches for events.
    var finder: EventFinder {
        EventFinder(lanes: lanes.queues, outbox: keeper.outbox, fates: fates)
    }

    /// Takes up what was opened; the retry states of lanes go on where they stood.
    func takeUp(_ opened: OpenedDirectory) {
        lanes.adopt()
        keeper.takeUp(opened, lanes: &lanes)
        let words = intake.withLanes { $0.lastWords }
        for index in lanes.indices { lanes[index].consent = words[index] }
        keeper.installation.open(opened.installation, in: keeper.held?.directory.url, isAllowed: lanes.mayIdentify)
        let now = moment
        for index in lanes.indices { lanes[index].restoreGate(at: now) }
        isOpen = true
        lanes.publish(lanes.indices)
        diagnostics.send(.opened(pending: lanes.queues.reduce(0) { $0 + $1.stored.ledger.pending }))
    }

    /// Waits for the directory again, because another process has used it.
    func startOver() {
        isOpen = false
        lanes.publish(lanes.indices)
    }

    /// Stores how the lanes stand, before the last events are stored and the outbox is closed.
    func storeGates() {
        let now = moment
        for index in lanes.indices { lanes[index].storeGate(at: now) }
        var change = OutboxChange()
        change.lanes = lanes.rows
        keeper.record(change, lanes: &lanes)
    }

    /// Closes the outbox and ends what waits for it; nothing is changed any more.
    func close() {
        isStopped = true
        // What neither the disk nor the memory had room for.
        intake.giveUpBuffered()
        keeper.close()
        for ticket in tickets { ticket.end() }
        tickets = []
        intake.wake.signal()
        lanes.publish(lanes.indices)
    }

    /// Puts the installation's id on the disk once the user has agreed to a purpose, and replaces it when the last one
    /// is refused.
    func updateInstallation() {
        if lanes.mayIdentify { return keeper.identify() }
        guard lanes.queues.contains(where: { $0.destination != nil && $0.consent.consent == .denied }) else {
            return
        }
        // What a reset has parted stays apart.
        keeper.renewInstallation(intake.identity.value.deviceID)
        guard let id = keeper.forgetInstallation() else { return }
        intake.identity.change { $0.deviceID = id }
    }

    /// Commits what lanes have decided, then says what has come of it.
    func apply(_ change: LaneChange, touching indices: Set<Int>) {
        keeper.record(change.outbox, lanes: &lanes)
        let touched = indices.union(change.outbox.lanes.map { lanes.index(of: $0.id) })
        refreshHeads(of: touched, after: change.outbox)
        for (id, lane, fate) in change.fates {
            fates.note(id, lane: lane, fate)
            if case .dropped(let reason) = fate {
                keeper.note(reason, of: id)
            } else {
                // What has arrived needs no disk any more.
                keeper.confirm([id], .persisted)
            }
        }
        for diagnostic in change.diagnostics { diagnostics.send(diagnostic) }
        lanes.publish(touched)
        finishTurn()
    }

    /// Looks up the oldest packs of lanes again where a change has removed any.
    func refreshHeads(of touched: some Sequence<Int>, after change: OutboxChange) {
        guard !change.removed.isEmpty else { return }
        for index in touched { lanes[index].refreshHead(from: keeper.outbox) }
    }

    /// What a lane does next; a step that cannot be read waits for the storage.
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

    /// Settles a lease; returns whether the lane's other requests are to be called back.
    func settle(_ lease: Lease, _ settlement: Settlement, lane index: Int) -> Bool {
        var (change, random) = (LaneChange(), intake.runtime.generator)
        let isTimeKnown = expiry.receiverTime != nil
        noteReceiverTime(settlement.attempt)
        let isUseless = lanes[index].settle(lease, settlement, context, using: &random, change: &change)
        if !isTimeKnown, expiry.receiverTime != nil { expireForgotten(change: &change) }
        if !change.outbox.insertedQuarantined.isEmpty { quarantine.cap(lanes: &lanes, change: &change) }
        apply(change, touching: [index])
        return isUseless
    }

    /// Takes the receiver's clock for right where this device's agrees with it.
    private func noteReceiverTime(_ attempt: Attempt) {
        guard attempt.receiverTime != nil else { return }
        let now = moment
        expiry.receiverTime = attempt.agreedTime(at: now.wall).map {
            StoredMoment(wall: $0, monotonic: now.monotonic, boot: boot)
        }
    }

    /// Drops what has become too old and what no lane would ever look at.
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

    /// Lets go what lanes held until the user agreed.
    func releaseHeld(_ granted: [Int]) {
        guard !granted.isEmpty else { return }
        var change = OutboxChange()
        change.grantedLanes = granted.map { lanes[$0].stored.number }
        keeper.record(change, lanes: &lanes)
        var corrections = LaneChange()
        for index in granted {
            if let usage = try? keeper.outbox.usage(lane: lanes[index].stored.number) {
                lanes[index].usage = usage
                // A damaged file may count more events than it has.
                lanes[index].correctLedger(change: &corrections)
            } else {
                lanes[index].grantUnread()
            }
            lanes[index].refreshHead(from: keeper.outbox)
        }
        if !corrections.isEmpty { apply(corrections, touching: Set(granted)) }
    }

    /// Lets a flush wait for everything that is tracked so far, with all lanes skipping their back-off.
    func wait(for ticket: FlushTicket) {
        tickets.append(ticket)
        startTickets()
    }

    /// Whether a flush waits.
    var hasTickets: Bool { tickets.contains { !$0.isEnded } }

    /// Decides what flushes wait for, once the directory is open.
    func startTickets() {
        let new = tickets.filter { $0.targets == nil }
        guard isOpen, !new.isEmpty else { return }
        let now = moment
        lanes.adopt()
        for index in lanes.indices { lanes[index].skipBackoff(at: now) }
        lanes.publish(lanes.indices)
        let unstored = keeper.hasRoom ? [] : intake.ledgers.map(\.unstored)
        let targets = Dictionary(
            uniqueKeysWithValues: lanes.indices.map { index in
                (index, lanes[index].stored.nextNumber + Int64(index < unstored.count ? unstored[index] : 0))
            }
        )
        for ticket in new { ticket.targets = targets }
        finishTurn()
    }

    /// Ends what waited for this, and wakes lanes that waited for the storage.
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

    /// How each lane is doing.
    func statistics() -> [LaneStatistics] {
        lanes.adopt()
        let (now, ledgers) = (moment, intake.ledgers)
        return zip(lanes.queues, ledgers).map { lane, known in
            LaneStatistics(
                id: lane.id,
                ledger: known.ledger,
                opening: lane.opening,
                oldestQueuedAge: lane.usage.oldest.map { $0.age(at: now) },
                lastSuccess: lane.stored.lastSuccess,
                purpose: lane.stored.purpose,
                status: lane.status,
                nextAttempt: lane.gate.reason.map { _ in max(.zero, now.monotonic.duration(to: lane.gate.notBefore)) },
                lastFailure: lane.stored.lastFailure.map(LaneFailure.init),
                request: lane.oldestRequest.map { (max(.zero, $0.start.duration(to: now.monotonic)), $0.receiver) },
                storageFailure: keeper.failure,
                now: now.wall
            )
        }
        .sorted { $0.id < $1.id }
    }

    /// Counts what is really there, lane by lane.
    func storedEvents() -> [LaneID: StoredEvents] {
        lanes.adopt()
        let (finder, ledgers) = (finder, intake.ledgers)
        return zip(lanes.queues, ledgers).reduce(into: [:]) { result, pair in
            let found = finder.count(pair.0)
            result[pair.0.id] = StoredEvents(
                pending: found.pending + pair.1.unstored,
                quarantined: found.quarantined,
                ledger: pair.1.ledger
            )
        }
    }

    /// Changes the quarantine; returns how many events were taken out of it.
    func changeQuarantine(_ body: (Quarantine, inout LaneTable, inout LaneChange) -> Void) -> Int {
        guard !isStopped else { return 0 }
        var change = LaneChange()
        body(quarantine, &lanes, &change)
        let ids = change.outbox.removedQuarantined
        guard !ids.isEmpty else { return 0 }
        fates.forget(ids)
        apply(change, touching: [])
        return ids.count
    }
}

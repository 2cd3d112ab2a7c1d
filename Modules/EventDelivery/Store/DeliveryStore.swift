import CoreTracker

/// The owner of the outbox and of the lanes: applies what the lanes and the writer decide, and commits it.
///
/// It runs on a serial executor of its own. Each method that changes anything commits before it returns, and publishes
/// the lane's ledger to the intake only then. Nothing is awaited between reading state and acting on it.
actor DeliveryStore {
    /// What a runner needs to know of its lane.
    struct RunnableLane: Sendable {
        let index: Int
        let destination: any Destination
        let wake: WakeSignal
        let consent: LaneConsent
    }

    /// How long the writer waits for more events after it has stored a group.
    static let groupWindow: Duration = .milliseconds(5)
    /// The fewest events for which another thread is worth its while.
    static let eventsAhead = 256
    /// The most groups in one turn; whoever waits for the store waits for them all.
    static let groupsPerTurn = 8

    private let executor: any SerialExecutor
    let intake: Intake
    let clock: any DeliveryClock
    let diagnostics: DiagnosticStream
    let configuration: DeliveryConfiguration
    private let boot: UInt32
    private let newID: @Sendable () -> EventID
    let keeper: OutboxKeeper
    var lanes: LaneTable
    var committer: GroupCommitter
    var fates = RecentFates()
    var tickets: [FlushTicket] = []
    var expiry: Expiry
    /// What holds for a purpose about which nothing has been said in this run.
    var earlierConsent: EarlierConsent
    private var hadFailed = false
    var isStopped = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(intake: Intake, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        let (clock, runtime) = (intake.clock, intake.runtime)
        var random = runtime.generator
        let ids = EventIDGenerator(seed: &random)
        let newID: @Sendable () -> EventID = { ids.next(at: clock.wallTime()) }
        self.intake = intake
        self.clock = clock
        self.diagnostics = diagnostics
        self.configuration = configuration
        self.newID = newID
        executor = runtime.executor("EventDelivery.store")
        boot = StoredMoment.checksum(ofBoot: clock.bootID)
        expiry = Expiry(age: configuration.budget.age)
        earlierConsent = EarlierConsent(words: [], configuration: configuration)
        lanes = LaneTable(intake: intake, destinations: configuration.destinations)
        committer = GroupCommitter(budget: configuration.budget, salt: configuration.salt, runtime: runtime)
        keeper = OutboxKeeper(
            directory: configuration.directory,
            clock: clock,
            diagnostics: diagnostics,
            wake: intake.wake,
            newID: newID
        )
    }

    /// Opens the outbox, lets the intake's events in, and returns the lanes that have a destination.
    func start() -> [RunnableLane] {
        let words = keeper.storedWords()
        let stored = words ?? []
        earlierConsent = EarlierConsent(words: words, configuration: configuration)
        intake.serve(
            configuration.destinations,
            after: stored.map(\.number).max() ?? 0,
            initially: earlierConsent.consent(for:)
        )
        for destination in configuration.destinations { _ = lanes.index(of: destination.lane) }
        keeper.open(lanes: &lanes)
        keeper.openInstallation(isAllowed: mayIdentify)
        let now = moment
        for index in lanes.indices {
            lanes[index].opening = lanes[index].stored.ledger
            lanes[index].gate = LaneGate(lanes[index].stored.gate, at: now)
        }
        lanes.publish(lanes.indices)
        diagnostics.send(.opened(pending: lanes.queues.reduce(0) { $0 + $1.stored.ledger.pending }))
        intake.open(
            limits: configuration.limits,
            sessionTimeout: configuration.sessionTimeout,
            deviceID: keeper.openedDeviceID
        )
        applyToBacklog(owed: Set(stored.filter(\.owesPurge).map(\.purpose)))
        persistBuffered()
        keeper.makeBarrier(lanes: &lanes)
        let consents = intake.withLanes { $0.lanes.map(\.consent) }
        return lanes.indices.compactMap { index in
            lanes[index].destination.map {
                RunnableLane(index: index, destination: $0, wake: lanes.wakes[index], consent: consents[index])
            }
        }
    }

    /// Puts another outbox in the place of the one in use, such as one that fails on demand around it.
    func use(_ wrap: @Sendable (any Outbox) -> any Outbox) {
        keeper.use(BufferedOutbox(wrap(keeper.outbox.base)))
    }

    /// Why the storage takes nothing for now; `nil` when it does.
    var failure: OutboxError? { keeper.failure }

    /// Hands the outbox and the lanes to a check.
    func inspect<Result: Sendable>(_ body: @Sendable (any Outbox, [LaneQueue]) throws -> Result) rethrows -> Result {
        try body(keeper.outbox, lanes.queues)
    }

    /// Applies what the user says now to what an earlier run has left; a purge that it still owes is made first,
    /// whatever is said now.
    private func applyToBacklog(owed: Set<String>) {
        serveForgotten()
        for index in lanes.indices where !lanes[index].stored.purpose.isEmpty {
            if owed.contains(lanes[index].stored.purpose) {
                lanes[index].deny(lanes[index].consent)
                continue
            }
            let ledger = lanes[index].stored.ledger
            switch lanes[index].consent.consent {
            case .denied where ledger.pending + ledger.quarantined > 0: lanes[index].deny(lanes[index].consent)
            case .granted where lanes[index].usage.heldEvents > 0: releaseHeld([index])
            case .denied, .granted, .unknown: break
            }
        }
        purgeOwed()
        accept(intake.withLanes { $0.lastWords })
        rememberWords()
        updateInstallation()
    }

    /// Stores what is left and closes the outbox; receipts that still wait are answered.
    func stop() {
        guard !isStopped else { return }
        let now = moment
        for index in lanes.indices { lanes[index].stored.gate = lanes[index].gate.stored(at: now) }
        var change = OutboxChange()
        change.lanes = lanes.rows
        keeper.record(change, lanes: &lanes)
        persistAll(barrier: true)
        isStopped = true
        // What neither the disk nor the memory had room for.
        intake.giveUpBuffered()
        keeper.close()
        for ticket in tickets { ticket.end() }
        tickets = []
        intake.wake.signal()
        lanes.publish(lanes.indices)
    }

    /// What a lane does next.
    func nextStep(lane index: Int) -> LaneStep {
        guard !isStopped else { return .wait(until: nil) }
        learnWords()
        applyWords()
        guard keeper.isReadable else { return .wait(until: nil) }
        var (queue, change) = (lanes[index], LaneChange())
        do throws(OutboxError) {
            let step = try queue.nextStep(context, change: &change)
            lanes[index] = queue
            if case .send = step { keeper.noteRead() }
            if !change.isEmpty { apply(change, touching: [index]) }
            return step
        } catch {
            keeper.handleRead(error, lanes: &lanes)
            finishTurn()
            return .wait(until: nil)
        }
    }

    /// Settles a lease; returns whether the lane's other requests are to be called back.
    func complete(_ lease: Lease, _ settlement: Settlement, lane index: Int) -> Bool {
        var (change, random) = (LaneChange(), intake.runtime.generator)
        let isTimeKnown = expiry.receiverTime != nil
        noteReceiverTime(settlement.attempt)
        let isUseless = lanes[index].settle(lease, settlement, context, using: &random, change: &change)
        if !isTimeKnown, expiry.receiverTime != nil { expireForgotten(change: &change) }
        if !change.outbox.insertedQuarantined.isEmpty { quarantine.cap(lanes: &lanes, change: &change) }
        apply(change, touching: [index])
        // What came while the request was under way need not wait for the rest of the writer's window.
        if intake.unstoredCount > 0 { intake.wake.signal() }
        return isUseless
    }

    /// Takes a lease back unsent.
    func release(_ lease: Lease, lane index: Int) {
        lanes[index].release(lease)
    }

    /// Ends the pause of a lane, or of all, because its cause is gone.
    func resume(_ lane: LaneID?) {
        let now = moment
        let resumed = lanes.indices.filter { lane == nil || lanes[$0].id == lane }
        for index in resumed { lanes[index].resume(at: now) }
        lanes.publish(resumed)
    }

    var context: LaneContext {
        LaneContext(outbox: keeper.outbox, now: moment, expiry: expiry, newID: newID)
    }

    var quarantine: Quarantine {
        Quarantine(outbox: keeper.outbox, budget: configuration.budget, expiry: expiry, now: moment)
    }

    var moment: StoredMoment {
        StoredMoment(wall: clock.wallTime(), monotonic: clock.monotonicTime(), boot: boot)
    }

    /// Commits what lanes have decided, then says what has come of it.
    func apply(_ change: LaneChange, touching indices: Set<Int>) {
        keeper.record(change.outbox, lanes: &lanes)
        let touched = indices.union(change.outbox.lanes.map { lanes.index(of: $0.id) })
        if !change.outbox.removed.isEmpty {
            for index in touched { lanes[index].refreshHead(from: keeper.outbox) }
        }
        for (id, lane, fate) in change.fates { fates.note(id, lane: lane, fate) }
        // What has come to its end needs no disk any more.
        keeper.confirm(change.fates.lazy.map(\.id), .persisted)
        for diagnostic in change.diagnostics { diagnostics.send(diagnostic) }
        lanes.publish(touched)
        finishTurn()
    }

    /// Takes the receiver's clock for right where this device's agrees with it.
    private func noteReceiverTime(_ attempt: Attempt) {
        guard let wall = attempt.receiverTime else { return }
        let now = moment
        let (apart, overflow) = wall.seconds.subtractingReportingOverflow(now.wall.seconds)
        let agrees = !overflow && (-3600...3600).contains(apart)
        expiry.receiverTime = agrees ? StoredMoment(wall: wall, monotonic: now.monotonic, boot: boot) : nil
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
}

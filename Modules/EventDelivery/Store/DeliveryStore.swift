import CoreTracker
import EventBuffer

/// The owner of what is stored: takes turns, one at a time, between the writer, the lanes' runners and whoever asks.
///
/// It runs on its own serial executor. Nothing else can reach the books, the writer or the stored consent.
/// Each method that changes anything commits before it returns, and publishes the lane's ledger to the intake only
/// then. Nothing is awaited between reading state and acting on it.
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

    private let executor: any SerialExecutor
    private let configuration: DeliveryConfiguration
    private let books: LaneBooks
    private let consent: StoredConsent
    private let erasures: StoredErasures
    private let writer: BufferWriter
    private let intake: Intake

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(intake: Intake, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        self.intake = intake
        self.configuration = configuration
        executor = intake.runtime.executor()
        books = LaneBooks(intake: intake, diagnostics: diagnostics, configuration: configuration)
        consent = StoredConsent(books, configuration: configuration)
        erasures = StoredErasures(books)
        writer = BufferWriter(books, consent: consent, erasures: erasures, configuration: configuration)
    }

    /// Opens the outbox, lets the intake's events in, and returns the lanes that have a destination.
    func start() -> [RunnableLane] {
        books.keeper.findDirectory()
        consent.takeUp()
        erasures.open()
        books.open(configuration.destinations)
        erasures.clearOwn()
        intake.open(
            limits: configuration.limits,
            sessionTimeout: configuration.sessionTimeout,
            deviceID: books.keeper.installation.opened
        )
        consent.applyToBacklog()
        _ = try? erasures.apply()
        writer.persistBuffered()
        books.keeper.makeBarrier(lanes: &books.lanes)
        let consents = intake.withLanes { $0.lanes.map(\.consent) }
        return books.lanes.indices.compactMap { index in
            books.lanes[index].destination.map {
                RunnableLane(index: index, destination: $0, wake: books.lanes.wakes[index], consent: consents[index])
            }
        }
    }

    /// Stores what is left and closes the outbox; receipts that still wait are answered.
    func stop() {
        guard !books.isStopped else { return }
        resumeStorage()
        books.storeGates()
        writer.persistAll(barrier: true)
        books.close()
    }

    /// Stores what was tracked before the call, and gives the files back until ``resumeStorage()``.
    func suspendStorage() {
        guard !books.isStopped, !books.keeper.isSuspended else { return }
        books.storeGates()
        writer.persistAll(barrier: true)
        books.keeper.suspend(lanes: books.lanes)
        books.finishTurn()
    }

    /// Takes the files up again, with what memory has kept meanwhile and what the user has said.
    func resumeStorage() {
        guard !books.isStopped, books.keeper.isSuspended else { return }
        books.keeper.resume(lanes: &books.lanes)
        writer.catchUp()
        books.finishTurn()
        intake.wake.signal()
    }

    /// Stores groups until the store is stopped.
    func runWriter() async {
        let (clock, keeper) = (intake.clock, books.keeper)
        while !books.isStopped {
            let now = clock.monotonicTime()
            if keeper.isAttemptDue {
                keeper.recover(lanes: &books.lanes)
                writer.catchUp()
                books.finishTurn()
            } else if keeper.isBarrierDue {
                keeper.makeBarrier(lanes: &books.lanes)
                books.settleInstallation()
                consent.storeLate()
                erasures.storeLate()
            } else if writer.persistNext(all: false) {
                // Whoever lines up for the store comes first, however much is tracked.
                await Task.yield()
                guard intake.unstoredCount < Intake.groupSize else { continue }
                let end = now.advanced(by: DeliveryStore.groupWindow)
                await intake.wake.wait(until: end, clock: clock, runtime: intake.runtime)
            } else if keeper.isSearchDue || adoptNext() {
                keeper.nextSearch = nil
                erasures.retry()
                consent.purgeOwed()
                books.finishTurn()
                await Task.yield()
            } else if keeper.needsMaintenance {
                keeper.maintain(lanes: &books.lanes)
            } else if let due = nextDue {
                await intake.wake.wait(until: due, clock: clock, runtime: intake.runtime)
            } else {
                await intake.wake.wait()
            }
        }
    }

    /// When the writer has something to do although nothing urgent is tracked.
    private var nextDue: MonotonicInstant? {
        [books.keeper.hasRoom ? intake.relaxedDue : nil, books.keeper.nextDue].compactMap { $0 }.min()
    }

    /// Stores everything that was tracked before the call; what comes meanwhile is left to the writer.
    func persistAll(barrier: Bool) {
        writer.persistAll(barrier: barrier)
    }

    /// Stores what a flush waits for, lets lanes skip a back-off, and ends the ticket when all is settled.
    ///
    /// A ticket whose deadline has passed meanwhile gets the same, only that nobody waits for it.
    func begin(_ ticket: FlushTicket) async {
        guard !books.isStopped else { return ticket.end() }
        learn()
        writer.persistAll(barrier: false)
        var hasAdopted = false
        while !ticket.isEnded, adoptNext() {
            hasAdopted = true
            await Task.yield()
        }
        guard !books.isStopped else { return ticket.end() }
        if hasAdopted {
            erasures.retry()
            consent.purgeOwed()
        }
        books.keeper.makeBarrier(lanes: &books.lanes)
        books.wait(for: ticket)
    }

    /// What a lane does next.
    func nextStep(lane index: Int) -> LaneStep {
        guard !books.isStopped else { return .wait(until: nil) }
        learn()
        guard books.keeper.isReadable, !erasures.isBehind else { return .wait(until: nil) }
        return books.nextStep(lane: index)
    }

    /// Settles a lease; returns whether the lane's other requests are to be called back.
    func complete(_ lease: Lease, _ settlement: Settlement, lane index: Int) -> Bool {
        let isUseless = books.settle(lease, settlement, lane: index)
        // What came while the request was under way need not wait for the rest of the writer's window.
        if intake.unstoredCount > 0 { intake.wake.signal() }
        return isUseless
    }

    /// Takes a lease back unsent.
    func release(_ lease: Lease, lane index: Int) {
        books.lanes[index].release(lease)
    }

    /// Ends the pause of a lane, or of all, because its cause is gone.
    func resume(_ lane: LaneID?) {
        let now = books.moment
        let resumed = books.lanes.indices.filter { lane == nil || books.lanes[$0].id == lane }
        for index in resumed { books.lanes[index].resume(at: now) }
        books.lanes.publish(resumed)
    }

    /// Brings all lanes to the last word about their purposes.
    ///
    /// Throws `notStored` if the decision is not stored. Any other error tells why bytes of a refused purpose could not
    /// be deleted yet; they are deleted as soon as they can be.
    func applyConsent(after word: Consent, about purpose: ConsentPurpose) throws(OutboxError) {
        // What ended processes have left can be taken over then, whatever they had learnt.
        if !books.isStopped { _ = erasures.learn() }
        let unstored = consent.announce()
        guard !books.isStopped else {
            if let unstored { throw .notStored(unstored) }
            // What lies on the disk cannot be reached any more, and the next opening deletes it.
            if word == .denied, books.keeper.directory != nil { throw .notOpen }
            return
        }
        applyWords()
        try consent.finish(word, about: purpose)
    }

    /// Takes over what other processes that use the directory have been told, and applies it.
    private func learn() {
        learnWords()
        if erasures.learn() { consent.purgeOwed() }
    }

    /// Takes over what the user has said to other processes, and applies it.
    private func learnWords() {
        consent.learn()
        applyWords()
    }

    /// Takes over a file that an ended process has left, once what that process may have learnt is known here, too;
    /// `false` when there is none.
    private func adoptNext() -> Bool {
        guard !books.isStopped else { return false }
        if books.keeper.hasLeft { learn() }
        return books.keeper.adoptNext(lanes: &books.lanes)
    }

    /// Applies words that have been said since the lanes looked last; what was tracked before them is stored first.
    private func applyWords() {
        guard consent.isBehind, !books.isStopped else { return }
        writer.persistBuffered()
        consent.applyLast()
    }

    /// Erases what was asked for; returns how many stored events.
    ///
    /// Throws why bytes could not be deleted yet; they are as soon as they can be.
    func erase() throws(OutboxError) -> Int {
        guard !books.isStopped else { throw .notOpen }
        // What ended processes have left can be taken over then, whatever they had learnt.
        learnWords()
        // What was taken over on the way may be owed to a denial.
        defer { consent.purgeOwed() }
        return try erasures.apply()
    }

    /// How each lane is doing.
    func statistics() -> [LaneStatistics] { books.statistics() }

    /// Where an event is, and why.
    func explain(_ id: EventID) -> EventExplanation? {
        if let lane = intake.laneOfBuffered(id) { return EventExplanation(lane: lane, fate: .buffered) }
        return books.finder.explain(id)
    }

    /// Counts what is really there, lane by lane.
    func storedEvents() -> [LaneID: StoredEvents] { books.storedEvents() }

    /// The quarantined events of a lane, or of all, oldest first.
    func quarantined(lane: LaneID?) -> [QuarantinedEvent] {
        (try? books.keeper.outbox.quarantined(lane: lane, limit: .max)) ?? []
    }

    /// Puts quarantined events back at the end of their lanes; returns how many there were.
    func retryQuarantined(_ ids: Set<EventID>) -> Int {
        books.changeQuarantine { quarantine, lanes, change in quarantine.retry(ids, lanes: &lanes, change: &change) }
    }

    /// Gives quarantined events up, counted; returns how many there were.
    func discardQuarantined(_ ids: Set<EventID>) -> Int {
        books.changeQuarantine { quarantine, lanes, change in quarantine.discard(ids, lanes: &lanes, change: &change) }
    }

    /// Why the storage takes nothing for now; `nil` when it does.
    var failure: OutboxError? { books.keeper.failure }

    /// Puts another outbox in the place of the one in use, such as one that fails on demand around it.
    func use(_ wrap: @Sendable (any Outbox) -> any Outbox) {
        books.keeper.use(BufferedOutbox(wrap(books.keeper.outbox.base)))
    }

    /// Hands the outbox and the lanes to a check.
    func inspect<Result: Sendable>(_ body: @Sendable (any Outbox, [LaneQueue]) throws -> Result) rethrows -> Result {
        try body(books.keeper.outbox, books.lanes.queues)
    }
}

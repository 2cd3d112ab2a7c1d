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

    /// Opens the directory, lets the buffered events in, and returns the lanes that have a destination.
    ///
    /// If another process uses the directory, it is opened later.
    func start() -> [RunnableLane] {
        for destination in configuration.destinations { _ = books.lanes.index(of: destination.lane) }
        open()
        if !books.isOpen {
            consent.awaitDecisions()
            let words = intake.withLanes { $0.lastWords }
            for index in books.lanes.indices { books.lanes[index].consent = words[index] }
            // The stored id of the installation is not known yet.
            intake.open(limits: configuration.limits, sessionTimeout: configuration.sessionTimeout, deviceID: "")
        }
        let consents = intake.withLanes { $0.lanes.map(\.consent) }
        return books.lanes.indices.compactMap { index in
            books.lanes[index].destination.map {
                RunnableLane(index: index, destination: $0, wake: books.lanes.wakes[index], consent: consents[index])
            }
        }
    }

    /// Opens the directory unless it is open; afterwards it may still be in use by another process.
    private func open() {
        guard !books.isOpen, !books.isStopped else { return }
        guard let opened = books.keeper.openDirectory() else { return }
        let seen = books.keeper.seen
        books.keeper.seen = nil
        consent.restore(opened.decisions, after: seen?.denials)
        books.takeUp(opened)
        erasures.restore(opened.erasures, after: seen?.erasure)
        intake.open(
            limits: configuration.limits,
            sessionTimeout: configuration.sessionTimeout,
            deviceID: books.keeper.installation.opened
        )
        consent.applyToBacklog()
        _ = try? erasures.apply()
        writer.persistBuffered()
        books.keeper.makeBarrier(lanes: &books.lanes)
        books.startTickets()
    }

    /// Stores what is left and closes the outbox; receipts that still wait are answered.
    func stop() {
        guard !books.isStopped else { return }
        resumeStorage()
        open()
        if books.isOpen {
            books.storeGates()
            persistAll(barrier: true)
        }
        books.close()
    }

    /// Stores what was tracked before the call, and gives the directory up until ``resumeStorage()``.
    func suspendStorage() {
        guard !books.isStopped, !books.keeper.isSuspended else { return }
        if books.isOpen {
            books.storeGates()
            persistAll(barrier: true)
        }
        books.keeper.suspend(lanes: books.lanes)
        books.finishTurn()
    }

    /// Takes the directory again, with what memory has kept meanwhile and what the user has decided.
    func resumeStorage() {
        guard !books.isStopped, books.keeper.isSuspended else { return }
        books.keeper.resume(lanes: &books.lanes)
        recovered()
        intake.wake.signal()
    }

    /// Makes up for what could not be done while the storage could not be used.
    private func recovered() {
        if books.isOpen, books.keeper.isWaiting {
            books.keeper.seen = (books.keeper.denials, erasures.known)
            books.startOver()
        }
        if books.isOpen { writer.catchUp() } else { open() }
        books.finishTurn()
    }

    /// Stores groups until the store is stopped.
    func runWriter() async {
        let (clock, keeper) = (intake.clock, books.keeper)
        while !books.isStopped {
            let now = clock.monotonicTime()
            if !books.isOpen {
                await waitForDirectory()
            } else if keeper.isAttemptDue {
                keeper.recover(lanes: &books.lanes)
                recovered()
            } else if keeper.isBarrierDue {
                keeper.makeBarrier(lanes: &books.lanes)
                consent.storeLate()
                erasures.storeLate()
            } else if writer.persistNext(all: false) {
                // Whoever lines up for the store comes first, however much is tracked.
                await Task.yield()
                guard intake.unstoredCount < Intake.groupSize else { continue }
                let end = now.advanced(by: DeliveryStore.groupWindow)
                await intake.wake.wait(until: end, clock: clock, runtime: intake.runtime)
            } else if keeper.needsMaintenance {
                keeper.maintain(lanes: &books.lanes)
            } else if let due = nextDue {
                await intake.wake.wait(until: due, clock: clock, runtime: intake.runtime)
            } else {
                await intake.wake.wait()
            }
        }
    }

    /// Tries to open the directory, each second while there are events, decisions or flushes that wait for it.
    private func waitForDirectory() async {
        // What is tracked from here on wakes this task.
        intake.awaitEvent()
        guard !books.keeper.isSuspended, intake.unstoredCount > 0 || books.hasTickets || hasDecisions else {
            return await intake.wake.wait()
        }
        if let due = books.keeper.nextDue, intake.clock.monotonicTime() < due {
            return await intake.wake.wait(until: due, clock: intake.clock, runtime: intake.runtime)
        }
        open()
    }

    /// Whether a decision or an erasure waits for the directory.
    private var hasDecisions: Bool {
        intake.withLanes { lanes in
            lanes.erasures.count > books.erasures || lanes.words.values.contains { $0.number > 0 }
        }
    }

    /// When the writer has something to do although nothing urgent is tracked.
    private var nextDue: MonotonicInstant? {
        [books.keeper.hasRoom ? intake.relaxedDue : nil, books.keeper.nextDue].compactMap { $0 }.min()
    }

    /// Stores everything that was tracked before the call; what comes meanwhile is left to the writer.
    func persistAll(barrier: Bool) {
        open()
        writer.persistAll(barrier: barrier)
        guard books.isOpen, books.keeper.isWaiting else { return }
        // Another process has used the directory during a suspension.
        recovered()
        writer.persistAll(barrier: barrier)
    }

    /// Stores what a flush waits for, lets lanes skip a back-off, and ends the ticket when all is settled.
    ///
    /// A ticket whose deadline has passed meanwhile gets the same, only that nobody waits for it.
    func begin(_ ticket: FlushTicket) {
        guard !books.isStopped else { return ticket.end() }
        open()
        if books.isOpen {
            applyWords()
            persistAll(barrier: true)
        }
        books.wait(for: ticket)
        intake.wake.signal()
    }

    /// What a lane does next.
    func nextStep(lane index: Int) -> LaneStep {
        guard books.isOpen, !books.isStopped, books.keeper.isReadable, !erasures.isBehind else {
            return .wait(until: nil)
        }
        guard books.keeper.ownsDirectory else {
            books.keeper.handle(.vanished, lanes: &books.lanes)
            return .wait(until: nil)
        }
        applyWords()
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
        open()
        guard books.isOpen || books.isStopped else { return try applyLater(word, about: purpose) }
        if word != .denied, consent.isOverruled(purpose) { throw .notStored(.directoryInUse) }
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

    /// Stores a decision, if possible, that is applied once the directory can be opened; throws why it cannot be now.
    private func applyLater(_ word: Consent, about purpose: ConsentPurpose) throws(OutboxError) {
        // The writer tries to open the directory from now on.
        intake.wake.signal()
        do throws(OutboxError) {
            try books.keeper.rememberUnopened(word, about: purpose)
        } catch {
            throw .notStored(error)
        }
        throw books.keeper.failure ?? .missing
    }

    /// Applies words that have been said since the lanes looked last; what was tracked before them is stored first.
    private func applyWords() {
        guard books.isOpen, consent.isBehind, !books.isStopped else { return }
        writer.persistBuffered()
        consent.applyLast()
    }

    /// Erases what was asked for; returns how many stored events.
    ///
    /// Throws why bytes could not be deleted yet; they are as soon as they can be.
    func erase() throws(OutboxError) -> Int {
        guard !books.isStopped else { throw .notOpen }
        open()
        guard books.isOpen else {
            intake.wake.signal()
            throw books.keeper.failure ?? .missing
        }
        applyWords()
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

import CoreTracker
import EventBuffer

/// The owner of all stored state. It serializes access by the writer, the lane runners and API callers.
///
/// It runs on a serial executor that only it uses. Only the store can reach the ledgers, the writer and the stored
/// consent. Each method that changes anything commits before it returns, and publishes the lane's ledger to the event
/// buffer only then. There is no suspension point between reading state and acting on it.
actor DeliveryStore {
    /// The properties of a lane that its runner needs.
    struct RunnableLane: Sendable {
        let index: Int
        let destination: any Destination
        let wake: WakeSignal
        let consent: LaneConsent
        let holds: LaneHolds
    }

    /// The time for which the writer waits for more events after it has stored a group.
    static let groupWindow: Duration = .milliseconds(5)

    private let executor: any SerialExecutor
    private let configuration: DeliveryConfiguration
    private let books: LaneBooks
    private let consent: StoredConsent
    private let erasures: StoredErasures
    private let writer: BufferWriter
    private let buffer: EventBuffer

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(buffer: EventBuffer, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        self.buffer = buffer
        self.configuration = configuration
        executor = buffer.runtime.executor()
        books = LaneBooks(buffer: buffer, diagnostics: diagnostics, configuration: configuration)
        consent = StoredConsent(books, configuration: configuration)
        erasures = StoredErasures(books)
        writer = BufferWriter(books, consent: consent, erasures: erasures, configuration: configuration)
    }

    /// Opens the directory, and stores the buffered events.
    ///
    /// If another process uses the directory, it is opened later.
    ///
    /// - Returns: The lanes that have a destination.
    func start() -> [RunnableLane] {
        for destination in configuration.destinations { _ = books.lanes.index(of: destination.lane) }
        open()
        if !books.isOpen {
            consent.awaitDecisions()
            let words = buffer.withLanes { $0.lastWords }
            for index in books.lanes.indices { books.lanes[index].consent = words[index] }
            // The stored installation ID is not known yet.
            buffer.open(limits: configuration.limits, sessionTimeout: configuration.sessionTimeout, deviceID: "")
        }
        let consents = buffer.withLanes { $0.lanes.map(\.consent) }
        return books.lanes.indices.compactMap { index in
            books.lanes[index].destination.map {
                RunnableLane(
                    index: index,
                    destination: $0,
                    wake: books.lanes.wakes[index],
                    consent: consents[index],
                    holds: books.lanes[index].holds
                )
            }
        }
    }

    /// Tries to open the directory, if it is not open.
    ///
    /// It stays closed if another process uses it.
    private func open() {
        guard !books.isOpen, !books.isStopped else { return }
        guard let opened = books.keeper.openDirectory() else { return }
        let seen = books.keeper.seen
        books.keeper.seen = nil
        consent.restore(opened.decisions, after: seen?.denials)
        books.takeUp(opened)
        erasures.restore(opened.erasures, after: seen?.erasure)
        buffer.open(
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

    /// Stores the remaining events, closes the outbox, and completes all pending receipts.
    func stop() {
        guard !books.isStopped else { return }
        resumeStorage()
        open()
        if books.isOpen {
            books.storeRetryStates()
            persistAll(barrier: true)
        }
        books.close()
    }

    /// Stores the events that were tracked before the call, and releases the directory until ``resumeStorage()``.
    func suspendStorage() {
        guard !books.isStopped, !books.keeper.isSuspended else { return }
        if books.isOpen {
            books.storeRetryStates()
            persistAll(barrier: true)
        }
        books.keeper.suspend(lanes: books.lanes)
        books.finishTurn()
    }

    /// Opens the directory again.
    ///
    /// Then stores the events that were kept in memory, and applies the decisions made in the meantime.
    func resumeStorage() {
        guard !books.isStopped, books.keeper.isSuspended else { return }
        books.keeper.resume(lanes: &books.lanes)
        recovered()
        buffer.wake.signal()
    }

    /// Completes the work that was not possible while the storage was unavailable.
    private func recovered() {
        if books.isOpen, books.keeper.isWaiting {
            books.keeper.seen = (books.keeper.denials, erasures.known)
            books.startOver()
        }
        if books.isOpen { writer.catchUp() } else { open() }
        books.finishTurn()
    }

    /// Stores groups of events until the store is stopped.
    func runWriter() async {
        let (clock, keeper) = (buffer.clock, books.keeper)
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
                // Yields to other callers of the store before the next group.
                await Task.yield()
                guard buffer.unstoredCount < EventBuffer.groupSize else { continue }
                let end = now.advanced(by: DeliveryStore.groupWindow)
                await buffer.wake.wait(until: end, clock: clock, runtime: buffer.runtime)
            } else if keeper.needsMaintenance {
                keeper.maintain(lanes: &books.lanes)
            } else if let due = nextDue {
                await buffer.wake.wait(until: due, clock: clock, runtime: buffer.runtime)
            } else {
                await buffer.wake.wait()
            }
        }
    }

    /// Tries to open the directory every second if events, decisions or flushes wait for it.
    private func waitForDirectory() async {
        // From now on, a tracked event wakes this task.
        buffer.awaitEvent()
        guard !books.keeper.isSuspended, buffer.unstoredCount > 0 || books.hasTickets || hasDecisions else {
            return await buffer.wake.wait()
        }
        if let due = books.keeper.nextDue, buffer.clock.monotonicTime() < due {
            return await buffer.wake.wait(until: due, clock: buffer.clock, runtime: buffer.runtime)
        }
        open()
    }

    private var hasDecisions: Bool {
        buffer.withLanes { lanes in
            lanes.erasures.count > books.erasures || lanes.words.values.contains { $0.number > 0 }
        }
    }

    /// The time at which the writer must act if no urgent event is tracked.
    private var nextDue: MonotonicInstant? {
        [books.keeper.hasRoom ? buffer.relaxedDue : nil, books.keeper.nextDue].compactMap { $0 }.min()
    }

    /// Stores all events that were tracked before the call.
    ///
    /// The writer stores later ones.
    ///
    /// - Parameter barrier: Whether the events must survive a power loss.
    func persistAll(barrier: Bool) {
        open()
        writer.persistAll(barrier: barrier)
        guard books.isOpen, books.keeper.isWaiting else { return }
        // Another process used the directory during a suspension.
        recovered()
        writer.persistAll(barrier: barrier)
    }

    /// Starts a flush: stores all events, lets the lanes skip their back-off, and ends the ticket when all events are
    /// settled.
    ///
    /// This also happens if the ticket's deadline has passed, but then no caller waits for it.
    func begin(_ ticket: FlushTicket) {
        guard !books.isStopped else { return ticket.end() }
        open()
        if books.isOpen {
            applyWords()
            persistAll(barrier: true)
        }
        books.wait(for: ticket)
        buffer.wake.signal()
    }

    /// Returns the next step of a lane.
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

    /// Settles a lease.
    ///
    /// - Parameters:
    ///   - lease: The lease of the batch that was sent.
    ///   - settlement: The result of the request.
    ///   - index: The lane's index.
    /// - Returns: Whether the lane's other requests should be cancelled.
    func complete(_ lease: Lease, _ settlement: Settlement, lane index: Int) -> Bool {
        let isUseless = books.settle(lease, settlement, lane: index)
        // Events tracked during the request need not wait for the rest of the writer's window.
        if buffer.unstoredCount > 0 { buffer.wake.signal() }
        return isUseless
    }

    /// Releases a lease whose batch was not sent.
    func release(_ lease: Lease, lane index: Int) {
        books.lanes[index].release(lease)
    }

    /// Ends the pause of a lane, or of all lanes if `lane` is `nil`.
    func resume(_ lane: LaneID?) {
        let now = books.moment
        let resumed = books.lanes.indices.filter { lane == nil || books.lanes[$0].id == lane }
        for index in resumed { books.lanes[index].resume(at: now) }
        books.lanes.publish(resumed)
    }

    /// Reports changed holds to pending flushes, and wakes the lanes.
    func applyHolds() {
        books.lanes.publish(books.lanes.indices)
        books.finishTurn()
    }

    /// Applies the latest decisions to all lanes.
    ///
    /// - Parameters:
    ///   - word: The decision that the caller made.
    ///   - purpose: The purpose of the decision.
    /// - Throws: `OutboxError.notStored` if the decision is not stored. Any other error means that events of a denied
    ///   purpose could not be deleted yet. Their deletion stays pending.
    func applyConsent(after word: Consent, about purpose: ConsentPurpose) throws(OutboxError) {
        open()
        guard books.isOpen || books.isStopped else { return try applyLater(word, about: purpose) }
        if word != .denied, consent.isOverruled(purpose) { throw .notStored(.directoryInUse) }
        let unstored = consent.announce()
        guard !books.isStopped else {
            if let unstored { throw .notStored(unstored) }
            // The stored events cannot be reached any more. The next opening deletes them.
            if word == .denied, books.keeper.directory != nil { throw .notOpen }
            return
        }
        applyWords()
        try consent.finish(word, about: purpose)
    }

    /// Stores a decision that is applied when the directory can be opened.
    ///
    /// - Parameters:
    ///   - word: The decision.
    ///   - purpose: The purpose of the decision.
    /// - Throws: `OutboxError.notStored` if the decision could not be stored. Otherwise the error because of which it
    ///   cannot be applied now.
    private func applyLater(_ word: Consent, about purpose: ConsentPurpose) throws(OutboxError) {
        // From now on, the writer tries to open the directory.
        buffer.wake.signal()
        do throws(OutboxError) {
            try books.keeper.rememberUnopened(word, about: purpose)
        } catch {
            throw .notStored(error)
        }
        throw books.keeper.failure ?? .missing
    }

    /// Stores the events that were tracked before the latest decisions, then applies these decisions.
    private func applyWords() {
        guard books.isOpen, consent.isBehind, !books.isStopped else { return }
        writer.persistBuffered()
        consent.applyLast()
    }

    /// Makes the requested erasures.
    ///
    /// - Returns: The number of erased stored events.
    /// - Throws: The error if some data could not be deleted yet. Its deletion stays pending.
    func erase() throws(OutboxError) -> Int {
        guard !books.isStopped else { throw .notOpen }
        open()
        guard books.isOpen else {
            buffer.wake.signal()
            throw books.keeper.failure ?? .missing
        }
        applyWords()
        return try erasures.apply()
    }

    /// Returns the statistics of each lane.
    func statistics() -> [LaneStatistics] { books.statistics() }

    /// Returns the status of an event, or `nil` if the event is unknown.
    func explain(_ id: EventID) -> EventExplanation? {
        if let lane = buffer.laneOfBuffered(id) { return EventExplanation(lane: lane, status: .buffered) }
        return books.finder.explain(id)
    }

    /// Counts the stored events of each lane by reading them.
    func storedEvents() -> [LaneID: StoredEvents] { books.storedEvents() }

    /// Returns the quarantined events of a lane, or of all lanes if `lane` is `nil`, oldest first.
    func quarantined(lane: LaneID?) -> [QuarantinedEvent] {
        (try? books.keeper.outbox.quarantined(lane: lane, limit: .max)) ?? []
    }

    /// Moves quarantined events back to the end of their lanes.
    ///
    /// Returns their number.
    func retryQuarantined(_ ids: Set<EventID>) -> Int {
        books.changeQuarantine { quarantine, lanes, change in quarantine.retry(ids, lanes: &lanes, change: &change) }
    }

    /// Drops quarantined events, and counts them.
    ///
    /// Returns their number.
    func discardQuarantined(_ ids: Set<EventID>) -> Int {
        books.changeQuarantine { quarantine, lanes, change in quarantine.discard(ids, lanes: &lanes, change: &change) }
    }

    /// The error that currently prevents storing, or `nil`.
    var failure: OutboxError? { books.keeper.failure }

    /// Replaces the outbox, for example by a wrapper that fails on demand.
    func use(_ wrap: @Sendable (any Outbox) -> any Outbox) {
        books.keeper.use(BufferedOutbox(wrap(books.keeper.outbox.base)))
    }

    /// Calls a check with the outbox and the lanes.
    func inspect<Result: Sendable>(_ body: @Sendable (any Outbox, [LaneQueue]) throws -> Result) rethrows -> Result {
        try body(books.keeper.outbox, books.lanes.queues)
    }
}

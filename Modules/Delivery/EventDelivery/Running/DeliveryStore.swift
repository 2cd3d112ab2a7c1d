import CoreTracker
import EventOutbox
import EventTracking
import Locks

/// The owner of all stored state. It serializes access by the writer, the lane runners and API callers.
///
/// It runs on a serial executor that only it uses. Only the store can reach the ledgers, the writer and the stored
/// decisions. Each method that changes a lane's queue commits before it returns, and publishes the lane's ledger to
/// the event buffer only then. The end of a wait by ``resume(_:)`` is stored with the lane's next change. There is no
/// suspension point between reading state and acting on it.
actor DeliveryStore: EngineStore {
    /// The properties of a lane, for its runner.
    struct RunnableLane: Sendable {
        let index: Int
        let destination: any Destination
        let wake: WakeSignal
        let consent: LaneConsent
        let holds: LaneHolds
    }

    /// The writer's wait for more events after it has stored a group.
    static let groupWindow: Duration = .milliseconds(5)

    private let executor: any SerialExecutor
    private let state: DeliveryState
    private let decisions: Decisions
    private let cleaner: Cleaner
    private let writer: BufferWriter
    private var quotas: StoredQuotas
    private let buffer: EventBuffer
    /// Whether the storage is about to be suspended, or is suspended.
    ///
    /// Meanwhile, lanes start no request.
    nonisolated var isSuspending: Bool { suspending.load(ordering: .acquiring) }
    private let suspending = Atomic(false)
    /// Whether the outbox was opened before.
    private var hasOpened = false
    /// Whether another process has used the directory while this process tried to open it.
    private var hasWaited = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(buffer: EventBuffer, configuration: DeliveryConfiguration) {
        self.buffer = buffer
        executor = buffer.runtime.executor()
        state = DeliveryState(buffer: buffer, configuration: configuration)
        decisions = Decisions(state)
        cleaner = Cleaner(state)
        writer = BufferWriter(state, decisions: decisions)
        quotas = StoredQuotas(state)
    }

    // MARK: Opening and closing

    /// Opens the directory, and stores the buffered events.
    ///
    /// If another process uses the directory, it is opened later.
    ///
    /// - Returns: The lanes with a destination.
    @discardableResult
    func start() async -> [RunnableLane] {
        for destination in state.configuration.destinations { _ = state.lanes.index(of: destination.lane) }
        await storeAll(barrier: true)
        if !state.isOpen {
            decisions.awaitDirectory()
            state.publishAll()
        }
        return state.lanes.indices.compactMap { index in
            state.lanes[index].destination.map {
                RunnableLane(
                    index: index,
                    destination: $0,
                    wake: state.lanes.wakes[index],
                    consent: state.lanes[index].consent,
                    holds: state.lanes[index].holds
                )
            }
        }
    }

    /// Tries to open the directory, if this process waits for it.
    private func open() {
        guard !state.isOpen, !state.isStopped else { return }
        guard let opened = state.storage.open() else {
            hasWaited = hasWaited || state.storage.failure == .directoryInUse
            return
        }
        let (known, found) = (state.released.generation, opened.rows.state?.generation)
        // The other process's decisions may be later than this process's.
        let isForeign = hasOpened ? !opened.isNew && known != found : hasWaited
        state.open(opened, isFirst: !hasOpened)
        (hasOpened, hasWaited) = (true, false)
        cleaner.startOver()
        // The document precedes the configuration's quotas, so it must be in effect before them.
        quotas.restore()
        decisions.resolve(isForeign: isForeign)
        buffer.dropRefused(deviceID: decisions.installationAtOpening)
        decisions.follow()
        // Keep events from taking the space needed for a decision on a full disk.
        state.storage.fillReserve()
        state.publishAll()
        let pending = state.lanes.queues.reduce(0) { $0.saturatingAdd($1.stored.ledger.pending) }
        if state.storage.failure == nil { buffer.diagnostics.send(.opened(pending: pending)) }
    }

    /// Stores the remaining events, closes the outbox, and completes all pending receipts.
    func stop() async {
        guard !state.isStopped else { return }
        await resumeStorage()
        await storeRest()
        state.close()
    }

    /// Stops lanes from starting requests until the storage is resumed.
    ///
    /// - Returns: `false` if the engine has no directory. It then has nothing to suspend, and lanes continue.
    func beginSuspending() -> Bool {
        suspending.store(state.configuration.directory != nil, ordering: .releasing)
        return isSuspending
    }

    /// Stores the events tracked before the call, and releases the directory until ``resumeStorage()``.
    ///
    /// It does nothing if the app has resumed the storage in the meantime.
    func suspendStorage() async {
        guard isSuspending, !state.isStopped, !state.storage.isSuspended else { return }
        open()
        await storeRest()
        if isSuspending, !state.isStopped { state.releaseDirectory(.suspended) }
    }

    /// Stores the retry states of the lanes and the remaining events.
    private func storeRest() async {
        guard state.isOpen else { return }
        state.storeRetryStates()
        await storeAll(barrier: true)
    }

    func resumeStorage() async {
        suspending.store(false, ordering: .releasing)
        guard !state.isStopped else { return }
        state.storage.resume()
        await storeAll(barrier: true)
        state.publishAll()
        buffer.wake.signal()
    }

    // MARK: The writer's jobs

    /// The jobs of the writer's task, in the order in which due ones are done.
    private enum Job: CaseIterable {
        /// Try to open the directory.
        case open
        /// Try to use the storage again after an error.
        case recover
        /// Apply decisions.
        case decide
        /// Try to read the stored quotas document again.
        case limit
        /// Make stored events survive a power loss.
        case barrier
        /// Delete bytes of denied and erased events.
        case delete
        /// Drop expired events.
        case expire
    }

    /// Returns the due time of a job, or `nil` if there is nothing to do.
    private func due(_ job: Job) -> MonotonicInstant? {
        let storage = state.storage
        switch job {
        case .open: return state.isOpen ? nil : storage.retryDue(isPressing: decisions.isPressing)
        case .recover: return state.isOpen ? storage.retryDue(isPressing: decisions.isPressing) : nil
        case .decide: return state.isOpen && decisions.isBehind ? MonotonicInstant(nanoseconds: .min) : nil
        case .limit: return state.isOpen ? quotas.due : nil
        case .barrier: return storage.barrierDue
        case .delete: return cleaner.due
        case .expire: return state.expiryDue
        }
    }

    private func perform(_ job: Job) {
        switch job {
        case .open: open()
        case .recover: recover()
        case .decide: decisions.apply()
        case .limit: openQuotas()
        case .barrier: state.makeBarrier()
        // The error is reported by the next call that needs the deletion.
        case .delete: try? cleaner.clean()
        case .expire: state.dropExpired()
        }
    }

    /// Tries to use the storage again after an error.
    ///
    /// A decision refused by the disk is stored together with the events in memory, so the receipts of the covered
    /// events report it.
    private func recover() {
        if case .refusing = state.storage.state, state.storage.outbox.isOpen, !state.storage.fileState.isSuspect,
            state.storage.outbox.hasRefused
        {
            decisions.store()
            // A disk that refuses decisions refuses events, too.
            guard !state.storage.outbox.hasRefused else { return }
        }
        let wasInMemory = if case .inMemory = state.storage.state { true } else { false }
        state.recover()
        // The directory can contain a quotas document of an earlier run.
        if wasInMemory, state.storage.state == .ready { openQuotas() }
        if !state.storage.outbox.hasUnsaved { buffer.forgetStoredDecisions() }
    }

    /// Does the writer's jobs and stores groups of events, each in a turn of its own, until the store is stopped.
    func runWriter() async {
        while !state.isStopped {
            for job in Job.allCases where performIfDue(job) { await Task.yield() }
            let now = buffer.clock.monotonicTime()
            if state.isOpen, !state.earlyFlushes.isEmpty { await storeAll(barrier: true) }
            if state.isOpen, writer.storeNext(all: false) {
                // Yields to other callers of the store before the next group.
                await Task.yield()
                // Under a flood, the jobs wait for two more groups.
                for _ in 1...2 {
                    guard buffer.unstoredCount >= EventBuffer.groupSize, writer.storeNext(all: false) else { break }
                    await Task.yield()
                }
                guard buffer.unstoredCount < EventBuffer.groupSize else { continue }
                await wait(for: buffer.wake, until: now.advanced(by: DeliveryStore.groupWindow))
            } else if state.storage.fileState.needsMaintenance {
                do throws(OutboxError) { try state.storage.maintain() } catch { state.handle(error) }
            } else {
                await wait(for: buffer.wake, until: nextDue())
            }
        }
    }

    // Without `@inline(never)`, each part of `runWriter` between two suspensions contains a copy of all jobs.
    @inline(never) private func performIfDue(_ job: Job) -> Bool {
        guard let due = due(job), due <= buffer.clock.monotonicTime() else { return false }
        perform(job)
        return true
    }

    /// The time at which the writer must act if no urgent event is tracked.
    @inline(never) private func nextDue() -> MonotonicInstant? {
        (Job.allCases.map(due) + [state.storage.hasRoom ? buffer.relaxedDue : nil]).compactMap(\.self).min()
    }

    /// Waits for a signal, at most until an instant.
    private func wait(for wake: WakeSignal, until instant: MonotonicInstant?) async {
        guard let instant else { return await wake.wait() }
        guard instant > buffer.clock.monotonicTime() else { return await Task.yield() }
        await wake.wait(until: instant, clock: buffer.clock, runtime: buffer.runtime)
    }

    // MARK: Storing

    /// Stores all events tracked before the call, one group in each turn.
    ///
    /// The writer stores later ones.
    func storeAll(barrier: Bool) async {
        let wasOpen = state.isOpen
        open()
        guard state.isOpen else { return }
        // Events held only in memory are stored if the directory can be used by now.
        if wasOpen, state.storage.failure != nil { recover() }
        decisions.follow()
        let last = buffer.ids.latest
        while writer.storeNext(all: true), buffer.hasBuffered(upTo: last) { await Task.yield() }
        guard state.isOpen else { return }
        decisions.updateState()
        if barrier { state.makeBarrier() }
        // The writer's task must notice that a job is due.
        buffer.wake.signal()
        state.beginEarlyFlushes()
    }

    /// Starts a flush.
    ///
    /// It does so even if the flush's deadline has passed, but then no caller waits for it.
    func begin(_ flush: Flush) async {
        guard !state.isStopped else { return flush.deadline.end() }
        await storeAll(barrier: true)
        state.begin(flush)
    }

    // MARK: Sending

    /// Returns the next step of a lane.
    func chooseStep(lane index: Int) -> LaneStep {
        guard state.isOpen, !isSuspending, !state.exchange.lacksDecisions, state.storage.state.isReadable else {
            return .wait(until: nil)
        }
        guard state.storage.ownsDirectory else {
            state.handle(.directoryInUse)
            return .wait(until: nil)
        }
        // Read first: a decision made from now on has a greater decision number, and prevents the request.
        let number = buffer.lastNumber
        decisions.apply()
        return state.chooseStep(lane: index, number: number)
    }

    /// Completes a lease.
    ///
    /// - Parameters:
    ///   - lease: The lease of the sent batch.
    ///   - outcome: The result of the request.
    ///   - index: The lane's index.
    /// - Returns: Whether the lane's other requests should be cancelled.
    func complete(_ lease: Lease, _ outcome: RequestOutcome, lane index: Int) -> Bool {
        guard state.isOpen else {
            state.lanes[index].release(lease)
            return false
        }
        let isUseless = state.complete(lease, outcome, lane: index)
        // Events tracked during the request need not wait for the rest of the writer's window.
        if buffer.unstoredCount > 0 { buffer.wake.signal() }
        return isUseless
    }

    /// Releases a lease whose batch was not sent.
    func release(_ lease: Lease, lane index: Int) {
        state.lanes[index].release(lease)
    }

    func resume(_ lane: LaneID?) {
        let now = state.moment
        let resumed = state.lanes.indices.filter { lane == nil || state.lanes[$0].id == lane }
        for index in resumed { state.lanes[index].resume(at: now) }
        state.publish(resumed)
    }

    private func openQuotas() {
        quotas.restore()
        buffer.dropRefused()
    }

    func storeQuotas() throws(OutboxError) {
        guard !state.isStopped else { throw .notOpen }
        open()
        // The writer stores the counts of events dropped by the document.
        buffer.wake.signal()
        try quotas.save()
    }

    func applyHolds() {
        state.publishAll()
    }

    // MARK: Decisions

    /// Deletes the events covered by earlier denials and erasures.
    ///
    /// - Throws: The cause, such as `OutboxError.directoryInUse`, if bytes of the events are left.
    func finishDeletion() async throws(OutboxError) {
        guard state.isOpen, case .ready = state.storage.state else { throw state.storage.failure ?? .notOpen }
        if state.exchange.lacksDecisions { throw state.exchange.failure ?? .missing }
        if let failure = decisions.failure { throw failure }
        try await deleteEvents(through: .max)
    }

    /// Stores and applies a decision and all earlier ones.
    ///
    /// - Parameter decision: The caller's decision.
    /// - Returns: The number of decisions so far.
    /// - Throws: `DecisionError.notStored` if the decision is not stored.
    func store(_ decision: PrivacyDecision) throws(DecisionError) -> UInt64 {
        guard !state.isStopped else { throw .notStored(.notOpen) }
        open()
        decisions.apply(isCalled: true)
        // The directory may also be lost while the decision is stored.
        guard state.isOpen else { throw .notStored(state.storage.failure ?? .notOpen) }
        // One transaction stores all decisions made so far, or none.
        if let failure = decisions.failure { throw .notStored(failure) }
        if decisions.isReplaced(decision) { throw .notStored(.directoryInUse) }
        if case .inMemory(let reason?, _) = state.storage.state { throw .notStored(reason) }
        // If the directory was moved while it was open or released, the decision does not reach its events.
        if state.released.hasLoss {
            state.released.hasLoss = false
            throw .notStored(.vanished)
        }
        return state.row.number
    }

    /// Deletes the events covered by a stored decision, and publishes the decision to the app's extensions.
    ///
    /// - Parameters:
    ///   - decision: The caller's decision.
    ///   - number: The number of decisions when it was stored.
    /// - Returns: The number of stored events erased by an erasure.
    /// - Throws: `DecisionError.notYetClean` if some bytes of the events could not be deleted yet.
    func deleteEvents(of decision: PrivacyDecision, number: UInt64) async throws(DecisionError) -> Int {
        do throws(OutboxError) {
            if decision.coversEvents { try await deleteEvents(through: number) }
            try state.publishDecisions()
        } catch {
            throw .notYetClean(error)
        }
        guard case .erasure(let user) = decision.kind else { return 0 }
        return state.takeErasedCount(of: user)
    }

    /// Deletes the bytes of denied and erased events, in steps between which the store does other work.
    private func deleteEvents(through number: UInt64) async throws(OutboxError) {
        while !cleaner.isComplete(through: number) {
            guard state.isOpen else { throw state.storage.failure ?? .notOpen }
            do throws(OutboxError) {
                try cleaner.clean()
            } catch {
                // The writer tries again later.
                buffer.wake.signal()
                throw error
            }
            // Under a flood, the writer stores up to three groups between two steps.
            for _ in 1...3 { await Task.yield() }
        }
    }

    /// Continues a pending deletion until it is complete or has failed, or until a deadline.
    ///
    /// - Parameter deadline: The deadline.
    func continueDeletion(until deadline: MonotonicInstant) async {
        while state.isOpen, let due = cleaner.due {
            let now = buffer.clock.monotonicTime()
            guard due <= now, now < deadline, (try? cleaner.clean()) != nil else { return }
            await Task.yield()
        }
    }

    // MARK: Reports

    func statistics() -> [LaneStatistics] { state.statistics() }

    /// Returns the status of an event, or `nil` if the event is unknown.
    ///
    /// In the worst case this reads the whole outbox, in steps between which the store does other work.
    func explain(_ id: EventID) async -> EventExplanation? {
        var (found, place) = find(id, after: nil)
        while found == nil, let last = place {
            await Task.yield()
            (found, place) = find(id, after: last)
        }
        return found
    }

    // Without `@inline(never)`, each part of `explain` between two suspensions contains a copy of the search.
    @inline(never) private func find(_ id: EventID, after place: SegmentPlace?) -> (EventExplanation?, SegmentPlace?) {
        if let known = buffer.explanation(of: id) ?? state.finder.knownStatus(of: id) { return (known, nil) }
        return state.finder.search(id, after: place)
    }

    func storedEvents() -> [LaneID: StoredEvents] { state.storedEvents() }

    func quarantined(lane: LaneID?) -> [QuarantinedEvent] {
        state.visibleQuarantined.filter { lane == nil || $0.lane == lane }
    }

    func retryQuarantined(_ ids: Set<EventID>) -> Int {
        state.changeQuarantine(ids) { $0.retry($1, at: state.moment, lanes: &$2, change: &$3) }
    }

    func discardQuarantined(_ ids: Set<EventID>) -> Int {
        state.changeQuarantine(ids) { $0.discard($1, lanes: &$2, change: &$3) }
    }

    /// The error that currently prevents storing, or `nil`.
    var failure: OutboxError? { state.storage.failure }

    /// Calls a check with the outbox and the lanes.
    func inspect<Result: Sendable>(
        _ body: @Sendable (Outbox, [LaneQueue]) throws -> Result
    ) rethrows -> Result {
        try body(state.storage.outbox, state.lanes.queues)
    }
}

import CoreTracker
import EventBuffer
import EventOutbox
import HTTPTransport
import Locks

/// An open engine: the store, the writer's task, and a runner for each lane that has a destination.
///
/// Its methods run on the caller's executor. The store orders all changes.
final class RunningEngine: OpenEngine {
    private struct State {
        var starting: Task<[LaneRunner], Never>?
        var stopping: Task<Void, Never>?
        var work: [Task<Void, Never>] = []
    }

    /// The time for which a suspension waits for the end of cancelled requests.
    private static let cancellationTime: Duration = .seconds(1)

    private let store: DeliveryStore
    private let buffer: EventBuffer
    private let diagnostics: DiagnosticStream
    private let transport: any Transport
    private let state = Mutex(State())

    init(buffer: EventBuffer, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        self.buffer = buffer
        self.diagnostics = diagnostics
        transport = configuration.transport
        store = DeliveryStore(buffer: buffer, diagnostics: diagnostics, configuration: configuration)
    }

    /// Opens the outbox, stores the buffered events, and starts the lanes.
    ///
    /// The first call starts this, and all calls wait for it.
    @discardableResult
    func start() async -> [LaneRunner] {
        let task = state.withLock { state in
            let task = state.starting ?? buffer.runtime.task { await self.startLanes() }
            state.starting = task
            return task
        }
        return await task.value
    }

    private func startLanes() async -> [LaneRunner] {
        let lanes = await store.start()
        let runtime = buffer.runtime
        let runners = lanes.map { lane in
            LaneRunner(lane, transport: lane.destination.transport ?? transport, store: store, buffer: buffer)
        }
        // The engine may be closed before it has finished opening.
        if state.withLock({ $0.stopping != nil }) { for runner in runners { await runner.halt() } }
        let writer = runtime.task { [store] in await store.runWriter() }
        let work = [writer] + runners.map { runner in runtime.task { await runner.run() } }
        state.withLock { $0.work = work }
        return runners
    }

    /// The store, after the engine has started.
    private var opened: DeliveryStore {
        get async {
            await start()
            return store
        }
    }

    func statistics() async -> [LaneStatistics] { await opened.statistics() }

    func explain(_ id: EventID) async -> EventExplanation? { await opened.explain(id) }

    func quarantined(lane: LaneID?) async -> [QuarantinedEvent] { await opened.quarantined(lane: lane) }

    func retryQuarantined(_ ids: Set<EventID>) async -> Int { await opened.retryQuarantined(ids) }

    func discardQuarantined(_ ids: Set<EventID>) async -> Int { await opened.discardQuarantined(ids) }

    func storedEvents() async -> [LaneID: StoredEvents] { await opened.storedEvents() }

    /// Starts a flush.
    ///
    /// The ticket ends when the flush is complete.
    func begin(_ ticket: FlushTicket) async {
        await start()
        await store.begin(ticket)
    }

    /// Stops all work, and leaves the remaining events on disk.
    ///
    /// Further calls wait for the first one.
    func stop() async {
        let task = state.withLock { state in
            let task = state.stopping ?? buffer.runtime.task { await self.stopLanes() }
            state.stopping = task
            return task
        }
        await task.value
    }

    private func stopLanes() async {
        let runners = await start()
        let work = state.withLock { $0.work }
        buffer.close()
        // Halts all lanes first, because waiting for one lane may take long on a slow disk.
        for runner in runners { await runner.halt() }
        for task in work.dropFirst() { await task.value }
        await store.stop()
        await work.first?.value
        diagnostics.finish()
        buffer.outcomes.finish()
    }

    /// Stores and applies a decision, and cancels requests that may contain denied events.
    ///
    /// - Parameter decision: The caller's decision.
    /// - Throws: `OutboxError.notStored` or `notYetClean`.
    func apply(_ decision: PrivacyDecision) async throws(OutboxError) {
        for runner in await start() { await runner.cancelOutdated() }
        try await store.apply(decision)
    }

    /// Stores and applies an erasure, deletes its events, and cancels requests that may contain them.
    ///
    /// - Parameter decision: The erasure.
    /// - Returns: The number of erased stored events.
    /// - Throws: `OutboxError.notStored` or `notYetClean`.
    func erase(_ decision: PrivacyDecision) async throws(OutboxError) -> Int {
        for runner in await start() { await runner.cancelOutdated() }
        return try await store.erase(decision)
    }

    /// Opens the directory, and deletes the events that earlier denials and erasures cover.
    ///
    /// - Throws: `OutboxError.directoryInUse` or another error of the directory, or `notYetClean`.
    func finishDeletion() async throws(OutboxError) {
        await start()
        try await store.finishDeletion()
    }

    /// Ends the pause of a lane, or of all lanes if `lane` is `nil`.
    func resume(_ lane: LaneID?) async {
        await start()
        await store.resume(lane)
    }

    /// Stores the limits document in effect.
    ///
    /// - Throws: The error of the directory.
    func storeLimits() async throws(OutboxError) { try await opened.storeLimits() }

    /// Reports changed holds to pending flushes, and wakes the lanes.
    func applyHolds() async { await opened.applyHolds() }

    /// Cancels requests in flight, closes the files and releases the directory.
    func suspendStorage() async {
        let (runners, runtime) = (await start(), buffer.runtime)
        guard await store.beginSuspending() else { return await store.suspendStorage() }
        let ticket = FlushTicket(deadline: buffer.clock.monotonicTime().advanced(by: RunningEngine.cancellationTime))
        runtime.task {
            for runner in runners { await runner.cancelAll() }
            ticket.end()
        }
        await ticket.wait(clock: buffer.clock, runtime: runtime)
        await store.suspendStorage()
    }

    /// Opens the directory and its files again.
    func resumeStorage() async {
        await start()
        await store.resumeStorage()
    }

    /// Stores all events that were tracked before the call, so they survive a power loss.
    func persist() async {
        await start()
        await store.persistAll(barrier: true)
    }
}

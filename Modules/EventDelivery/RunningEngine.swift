import CoreTracker
import EventBuffer
import EventOutbox
import HTTPTransport
import Locks

/// The parts of an open engine: the store, the writer's task and a runner for each lane that has a destination.
///
/// Its methods run where their callers do; whatever has an order is the store's.
final class RunningEngine: OpenEngine {
    private struct State {
        var starting: Task<[LaneRunner], Never>?
        var stopping: Task<Void, Never>?
        var work: [Task<Void, Never>] = []
    }

    private let store: DeliveryStore
    private let intake: Intake
    private let diagnostics: DiagnosticStream
    private let transport: any Transport
    private let state = Mutex(State())

    init(intake: Intake, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        self.intake = intake
        self.diagnostics = diagnostics
        transport = configuration.transport
        store = DeliveryStore(intake: intake, diagnostics: diagnostics, configuration: configuration)
    }

    /// Opens the outbox, stores what was held, and starts the lanes; whoever comes first begins it, and all wait.
    @discardableResult
    func start() async -> [LaneRunner] {
        let task = state.withLock { state in
            let task = state.starting ?? intake.runtime.task { await self.startLanes() }
            state.starting = task
            return task
        }
        return await task.value
    }

    private func startLanes() async -> [LaneRunner] {
        let lanes = await store.start()
        let runtime = intake.runtime
        let runners = lanes.map { lane in
            LaneRunner(lane, transport: lane.destination.transport ?? transport, store: store, intake: intake)
        }
        // Whoever closes the engine may not have waited for its opening.
        if state.withLock({ $0.stopping != nil }) { for runner in runners { await runner.halt() } }
        let writer = runtime.task { [store] in await store.runWriter() }
        let work = [writer] + runners.map { runner in runtime.task { await runner.run() } }
        state.withLock { $0.work = work }
        return runners
    }

    /// The store, once it is open.
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

    /// Begins a flush; the ticket ends when it is done.
    func begin(_ ticket: FlushTicket) async {
        await start()
        await store.begin(ticket)
    }

    /// Stops everything, with all that is left on disk; a second caller waits for the first one's stop.
    func stop() async {
        let task = state.withLock { state in
            let task = state.stopping ?? intake.runtime.task { await self.stopLanes() }
            state.stopping = task
            return task
        }
        await task.value
    }

    private func stopLanes() async {
        let runners = await start()
        let work = state.withLock { $0.work }
        intake.close()
        // One lane's end may wait for a slow disk; no other one sends meanwhile.
        for runner in runners { await runner.halt() }
        for task in work.dropFirst() { await task.value }
        await store.stop()
        await work.first?.value
        diagnostics.finish()
    }

    /// Applies what the user has said last, to what is stored and to requests under way.
    func applyConsent(after word: Consent, about purpose: ConsentPurpose) async throws(OutboxError) {
        for runner in await start() { await runner.cancelOutdated() }
        try await store.applyConsent(after: word, about: purpose)
    }

    /// Erases what is to be erased, and calls back requests that may carry it; returns how many stored events it was.
    func erase() async throws(OutboxError) -> Int {
        for runner in await start() { await runner.cancelOutdated() }
        return try await store.erase()
    }

    /// Ends the pause of a lane, or of all.
    func resume(_ lane: LaneID?) async {
        await start()
        await store.resume(lane)
    }

    /// Gives the files back.
    func suspendStorage() async {
        await start()
        await store.suspendStorage()
    }

    /// Takes the files up again.
    func resumeStorage() async {
        await start()
        await store.resumeStorage()
    }

    /// Stores everything that was tracked before the call, with a barrier against power loss.
    func persist() async {
        await start()
        await store.persistAll(barrier: true)
    }
}

import CoreTracker
import EventOutbox
import EventTracking
import HTTPTransport
import Locks

/// An open engine: the store, the writer's task, and a runner for each lane with a destination.
///
/// Its methods run on the caller's executor. The store orders all changes.
final class RunningEngine: OpenEngine {
    private struct State {
        var starting: Task<[LaneRunner], Never>?
        var stopping: Task<Void, Never>?
        var writing: Task<Void, Never>?
        var observing: Task<Void, Never>?
        /// The tasks of the lanes.
        var laneWork: [Task<Void, Never>] = []
    }

    /// The maximum wait of a suspension for the end of cancelled requests.
    private static let cancellationTime: Duration = .seconds(1)

    private let store: DeliveryStore
    private let buffer: EventBuffer
    private let transport: any Transport
    private let state = Mutex(State())

    init(buffer: EventBuffer, configuration: DeliveryConfiguration) {
        self.buffer = buffer
        transport = configuration.transport
        store = DeliveryStore(buffer: buffer, configuration: configuration)
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
        let writing = runtime.task { [store] in await store.runWriter() }
        let observing = runtime.task { [store, buffer] in
            await buffer.observation.run(runtime) { await store.statistics() }
        }
        let laneWork = runners.map { runner in runtime.task { await runner.run() } }
        state.withLock { ($0.writing, $0.observing, $0.laneWork) = (writing, observing, laneWork) }
        return runners
    }

    var openedStore: any EngineStore {
        get async {
            await start()
            return store
        }
    }

    /// Stops all work, and leaves the remaining events on disk.
    ///
    /// Further calls wait for the first one.
    ///
    /// - Parameter deadline: The end of a pending deletion.
    func stop(by deadline: MonotonicInstant) async {
        let task = state.withLock { state in
            let task = state.stopping ?? buffer.runtime.task { await self.stopLanes(by: deadline) }
            state.stopping = task
            return task
        }
        await task.value
    }

    private func stopLanes(by deadline: MonotonicInstant) async {
        let runners = await start()
        let (writing, observing, laneWork) = state.withLock { ($0.writing, $0.observing, $0.laneWork) }
        buffer.close()
        // Halts all lanes first, because waiting for one lane may take long on a slow disk.
        for runner in runners { await runner.halt() }
        for task in laneWork { await task.value }
        await store.continueDeletion(until: deadline)
        buffer.observation.end()
        await observing?.value
        await store.stop()
        await writing?.value
        await buffer.observation.look(isFinal: true) { await store.statistics() }
        buffer.diagnostics.finish()
        buffer.outcomes.finish()
    }

    /// Cancels the requests that a decision may cover, stores the decision, waits until the requests have ended, and
    /// deletes the covered events.
    ///
    /// A request that ignores its cancellation delays neither the decision nor the cancellation of other requests.
    ///
    /// - Parameter decision: The decision, which is in effect.
    /// - Returns: The number of stored events erased by an erasure.
    /// - Throws: The errors of ``DeliveryStore``.
    func carryOut(_ decision: PrivacyDecision) async throws(DecisionError) -> Int {
        var requests: [Task<Void, Never>] = []
        for runner in await start() { requests += await runner.cancelOutdated() }
        let stored: Result<UInt64, DecisionError>
        do throws(DecisionError) {
            stored = .success(try await store.store(decision))
        } catch {
            stored = .failure(error)
        }
        for request in requests { await request.value }
        return try await store.deleteEvents(of: decision, number: try stored.get())
    }

    func suspendStorage() async {
        let (runners, runtime) = (await start(), buffer.runtime)
        guard await store.beginSuspending() else { return }
        let wait = Deadline(buffer.clock.monotonicTime().advanced(by: RunningEngine.cancellationTime))
        runtime.task {
            var requests: [Task<Void, Never>] = []
            for runner in runners { requests += await runner.cancelAll() }
            for request in requests { await request.value }
            wait.end()
        }
        await wait.wait(clock: buffer.clock, runtime: runtime)
        await store.suspendStorage()
    }
}

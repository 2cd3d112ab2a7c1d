import CoreTracker

/// The parts of an open engine: the store, the writer's task and a runner for each lane that has a destination.
actor RunningEngine {
    private let store: DeliveryStore
    private let intake: Intake
    private let diagnostics: DiagnosticStream
    private let transport: any Transport
    private let executor: any SerialExecutor
    private var starting: Task<[LaneRunner], Never>?
    private var stopping: Task<Void, Never>?
    private var work: [Task<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(intake: Intake, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        self.intake = intake
        self.diagnostics = diagnostics
        transport = configuration.transport
        executor = intake.runtime.executor("EventDelivery.engine")
        store = DeliveryStore(intake: intake, diagnostics: diagnostics, configuration: configuration)
    }

    /// Opens the outbox, stores what was held, and starts the lanes; whoever comes first begins it, and all wait.
    @discardableResult
    func start() async -> [LaneRunner] {
        if let starting { return await starting.value }
        let task = intake.runtime.task { await self.startLanes() }
        starting = task
        return await task.value
    }

    private func startLanes() async -> [LaneRunner] {
        let lanes = await store.start()
        let runtime = intake.runtime
        let runners = lanes.map { lane in
            LaneRunner(lane, transport: lane.destination.transport ?? transport, store: store, intake: intake)
        }
        work = [runtime.task { [store] in await store.runWriter() }]
        work += runners.map { runner in runtime.task { await runner.run() } }
        return runners
    }

    /// The store, once it is open.
    var opened: DeliveryStore {
        get async {
            await start()
            return store
        }
    }

    /// Begins a flush; the ticket ends when it is done.
    func begin(_ ticket: FlushTicket) async {
        await start()
        await store.begin(ticket)
    }

    /// Stops everything, with all that is left on disk; a second caller waits for the first one's stop.
    func stop() async {
        if let stopping { return await stopping.value }
        let task = intake.runtime.task { await self.stopLanes() }
        stopping = task
        await task.value
    }

    private func stopLanes() async {
        let runners = await start()
        intake.close()
        for runner in runners { await runner.stop() }
        for task in work.dropFirst() { await task.value }
        await store.stop()
        await work.first?.value
        diagnostics.finish()
    }

    /// Applies what the user has said last, to what is stored and to requests under way.
    func applyConsent() async throws(OutboxError) {
        for runner in await start() { await runner.cancelOutdated() }
        try await store.applyConsent()
    }

    /// Ends the pause of a lane, or of all.
    func resume(_ lane: LaneID?) async {
        await start()
        await store.resume(lane)
    }

    /// Stores everything that was tracked before the call, with a barrier against power loss.
    func persist() async {
        await start()
        await store.persistAll(barrier: true)
    }
}

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
        // Whoever closes the engine may not have waited for its opening.
        if stopping != nil { for runner in runners { await runner.halt() } }
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
        // One lane's end may wait for a slow disk; no other one sends meanwhile.
        for runner in runners { await runner.halt() }
        for task in work.dropFirst() { await task.value }
        await store.stop()
        await work.first?.value
        diagnostics.finish()
    }

    /// Applies what the user has said last, to what is stored and to requests under way.
    func applyConsent(after word: Consent) async throws(OutboxError) {
        for runner in await start() { await runner.cancelOutdated() }
        try await store.applyConsent(after: word)
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

extension DeliveryEngine {
    /// Opens the engine and keeps it open until the task that calls this is cancelled, then closes it.
    ///
    /// For a server or a command-line tool: run it in a task group beside the work; cancelling the group flushes for as
    /// long as the deadline says and leaves the rest on disk. It returns when the engine is closed.
    public func run(
        _ configuration: DeliveryConfiguration,
        closingWithin deadline: Duration = .seconds(5)
    ) async throws(ConfigurationError) {
        try await open(configuration)
        let (cancellation, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in cancellation {}
        await close(deadline: deadline)
    }
}

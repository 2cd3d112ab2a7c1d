import CoreTracker

/// Sends one lane's batches: asks the store for the lane's next step, does it, and hands back what came of it.
///
/// It has no state of its own but the requests under way.
actor LaneRunner {
    private let lane: Int
    private let destination: any Destination
    private let transport: any Transport
    private let store: DeliveryStore
    private let clock: any DeliveryClock
    private let runtime: EngineRuntime
    private let wake: WakeSignal
    private let consent: LaneConsent
    private let executor: any SerialExecutor
    private var isStopped = false
    private var requests: [EventID: (word: UInt64, task: Task<Void, Never>)] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ entry: DeliveryStore.RunnableLane, transport: any Transport, store: DeliveryStore, intake: Intake) {
        lane = entry.index
        destination = entry.destination
        wake = entry.wake
        consent = entry.consent
        self.transport = transport
        self.store = store
        clock = intake.clock
        runtime = intake.runtime
        executor = intake.runtime.executor("EventDelivery.lane")
    }

    /// Delivers until the runner is stopped.
    func run() async {
        while !isStopped {
            switch await store.nextStep(lane: lane) {
            case .send(let lease): await begin(lease)
            case .wait(until: let instant?): await wake.wait(until: instant, clock: clock, runtime: runtime)
            case .wait(until: nil): await wake.wait()
            case .again: break
            }
        }
        // What was answered at the last moment is settled before the outbox closes.
        for request in requests.values { await request.task.value }
    }

    /// Calls back the requests that were begun before the last word about consent; when it returns, none of them
    /// sends any more.
    func cancelOutdated() async {
        await cancel(requests.values.filter { $0.word != consent.number }.map(\.task))
    }

    private func cancel(_ tasks: [Task<Void, Never>]) async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Ends the lane; when it returns, no request is under way, and ``run()`` returns.
    func stop() async {
        isStopped = true
        await cancel(requests.values.map(\.task))
        wake.signal()
    }

    /// Begins a request, unless the lane was stopped or the user has said something since it was leased.
    ///
    /// From the look at the word to the note of the request nothing suspends, so a denial comes either before the one
    /// or finds the other.
    private func begin(_ lease: Lease) async {
        guard !isStopped, consent.number == lease.word.number else {
            return await store.release(lease, lane: lane)
        }
        requests[lease.stored.id] = (lease.word.number, runtime.task { await self.deliver(lease) })
    }

    private func deliver(_ lease: Lease) async {
        let request = destination.request(for: lease.batch)
        let attempt = await LaneRunner.attempt(request, over: transport)
        let settlement = Settlement(
            verdict: verdict(on: attempt, lease: lease),
            attempt: attempt,
            bodyBytes: request.body.count
        )
        // A request that was called back has no result; one that ends so by itself has failed.
        if case .failed(.cancelled) = attempt, Task.isCancelled {
            await store.release(lease, lane: lane)
        } else if await store.complete(lease, settlement, lane: lane) {
            for (id, other) in requests where id != lease.stored.id { other.task.cancel() }
        }
        requests[lease.stored.id] = nil
        wake.signal()
    }

    private static func attempt(_ request: HTTPRequest, over transport: any Transport) async -> Attempt {
        guard !Task.isCancelled else { return .failed(.cancelled) }
        do throws(TransportError) {
            return .answered(try await transport.send(request, deadline: deadline(bodyBytes: request.body.count)))
        } catch {
            return .failed(error)
        }
    }

    private func verdict(on attempt: Attempt, lease: Lease) -> BatchVerdict {
        switch attempt {
        case .answered(let response): destination.verdict(on: dated(response), for: lease.batch)
        case .failed(.untrusted): .paused(.trust)
        case .failed: .retry(after: nil)
        }
    }

    /// The answer with the time of its arrival as its date, where it has none (RFC 9110 §6.6.1).
    private func dated(_ response: HTTPResponse) -> HTTPResponse {
        guard response.headers["date"] == nil else { return response }
        var response = response
        response.headers["date"] = clock.wallTime().httpDate
        return response
    }

    /// Half a minute, and a second more for each kilobyte of the body.
    private static func deadline(bodyBytes: Int) -> Duration {
        .seconds(30 + bodyBytes / 1_000)
    }
}

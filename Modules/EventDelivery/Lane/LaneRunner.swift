import CoreTracker

/// Sends one lane's batches, one after the other: leases, sends, asks the destination, settles.
actor LaneRunner {
    /// Single events refused in a row, without anything acknowledged, that make the lane pause.
    ///
    /// A receiver that refuses everything is at fault, not the events: the rest must not end in quarantine.
    private static let mostRefusals = 32

    nonisolated let id: LaneID
    private let lane: Int
    private let destination: any Destination
    private let transport: any Transport
    private let store: DeliveryStore
    private let clock: any DeliveryClock
    private let diagnostics: DiagnosticStream
    private let wake: WakeSignal
    private var gate: LaneGate
    private var refusals = 0
    private var isStopped = false
    private var isSuspended: Bool
    private var inFlight: Task<Attempt, Never>?

    init(lane: Int, state: LaneState, destination: any Destination, transport: any Transport, store: DeliveryStore) {
        self.lane = lane
        id = state.stored.id
        self.destination = destination
        self.transport = transport
        self.store = store
        clock = store.clock
        diagnostics = store.diagnostics
        wake = state.wake
        let now = StoredMoment(wall: clock.wallTime(), monotonic: clock.monotonicTime(), boot: store.boot)
        gate = LaneGate(state.stored.gate, at: now)
        isSuspended = state.consent != .granted
    }

    /// Delivers until the runner is stopped.
    func run() async {
        await store.note(gate, lane: lane)
        while !isStopped {
            if isSuspended {
                await wake.wait()
            } else if !gate.isOpen(at: clock.monotonicTime()) {
                await wake.wait(until: gate.notBefore, clock: clock)
            } else if let lease = await store.lease(lane: lane) {
                await deliver(lease)
            } else {
                await wake.wait()
            }
        }
        await store.note(gate, lane: lane)
    }

    /// Lets a flush skip a back-off.
    func flush() async {
        gate.skipBackoff(at: clock.monotonicTime())
        await store.note(gate, lane: lane)
        wake.signal()
    }

    /// Ends a pause because the host says that the cause is mended.
    func resume() async {
        gate.resume()
        refusals = 0
        await store.note(gate, lane: lane)
        wake.signal()
    }

    /// Lets the lane send again.
    func unsuspend() {
        isSuspended = false
        wake.signal()
    }

    /// Keeps the lane from sending; when it returns, no request is under way.
    func suspend() async {
        isSuspended = true
        inFlight?.cancel()
        _ = await inFlight?.value
    }

    /// Ends the lane; when it returns, no request is under way, and ``run()`` settles what was answered and returns.
    func stop() async {
        isStopped = true
        await suspend()
        wake.signal()
    }

    private func deliver(_ lease: Lease) async {
        let request = destination.request(for: lease.batch)
        let deadline = LaneRunner.deadline(bodyBytes: request.body.count)
        // From here to the start of the task nothing suspends, so a denial comes either before or after it.
        guard !isSuspended, !isStopped else { return await store.release(lease) }
        let transport = transport
        let task = Task {
            do throws(TransportError) {
                return Attempt.answered(try await transport.send(request, deadline: deadline))
            } catch {
                return Attempt.failed(error)
            }
        }
        inFlight = task
        let attempt = await task.value
        inFlight = nil
        // A request that this lane cut off has no result; one that ends so by itself has failed.
        if case .failed(.cancelled) = attempt, isSuspended { return await store.release(lease) }
        await settle(lease, attempt, bodyBytes: request.body.count)
    }

    private func settle(_ lease: Lease, _ attempt: Attempt, bodyBytes: Int) async {
        let verdict = verdict(on: attempt, lease: lease)
        updateGate(verdict, lease: lease, cause: attempt.cause)
        await store.settle(lease, Settlement(verdict: verdict, attempt: attempt, bodyBytes: bodyBytes, gate: gate))
    }

    private func verdict(on attempt: Attempt, lease: Lease) -> BatchVerdict {
        switch attempt {
        case .answered(let response): destination.verdict(on: dated(response), for: lease.batch)
        case .failed(.untrusted): .paused(.trust)
        case .failed: .retry(after: nil)
        }
    }

    private func updateGate(_ verdict: BatchVerdict, lease: Lease, cause: String) {
        switch verdict {
        case .delivered: succeed()
        case .partial(let verdicts): settledPartly(lease.batch.events.indices.map { verdicts[$0] }, cause: cause)
        case .retry(let wait): fail(retryAfter: wait, cause: cause)
        case .paused(let reason): pause(reason)
        case .suspect where LaneRunner.isConclusive(lease): pause(.protocolMismatch)
        case .refused, .suspect: lease.batch.events.count == 1 ? refuse() : gate.answered()
        case .tooLarge: gate.answered()
        }
    }

    /// Waits before events are sent again that the receiver could not take; those that it refused only for their
    /// company, the faulty ones being named, go at once.
    private func settledPartly(_ verdicts: [BatchVerdict.EventVerdict?], cause: String) {
        let (arrived, retried) = (verdicts.count { $0 == nil }, verdicts.count { $0 == .retry })
        if arrived > 0 { succeed() }
        if arrived == 0, retried < verdicts.count {
            gate.answered()
        } else if retried > 0 {
            fail(retryAfter: nil, cause: cause)
        }
    }

    private func succeed() {
        let hadFailed = gate.failures > 0
        refusals = 0
        gate.succeeded()
        if hadFailed, gate.failures == 0 { diagnostics.send(.recovered(lane: id)) }
    }

    private func fail(retryAfter: Duration?, cause: String) {
        let now = clock.monotonicTime()
        var random = SystemRandomNumberGenerator()
        gate.failed(at: now, retryAfter: retryAfter, using: &random)
        diagnostics.send(.retrying(lane: id, cause: cause, wait: now.duration(to: gate.notBefore)))
    }

    private func pause(_ reason: PauseReason) {
        var random = SystemRandomNumberGenerator()
        gate.paused(reason, at: clock.monotonicTime(), using: &random)
        diagnostics.send(.paused(lane: id, reason: reason))
    }

    private func refuse() {
        refusals += 1
        if refusals >= LaneRunner.mostRefusals { pause(.protocolMismatch) } else { gate.answered() }
    }

    /// Whether a refusal without a stated reason shows that no batch would be taken: a single event, or both halves.
    private static func isConclusive(_ lease: Lease) -> Bool {
        switch lease.stored.suspicion {
        case .none: lease.batch.events.count == 1
        case .half: lease.isLastHalf
        case .deferred: true
        case .proven: false
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

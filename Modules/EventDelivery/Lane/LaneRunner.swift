/// Sends one lane's batches, one after the other: leases, sends, asks the destination, settles.
actor LaneRunner {
    nonisolated let id: LaneID
    private let lane: Int
    private let destination: any Destination
    private let transport: any Transport
    private let store: DeliveryStore
    private let clock: any DeliveryClock
    private let diagnostics: DiagnosticStream
    private let wake: WakeSignal
    private var gate: LaneGate
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
        gate = LaneGate(state.stored.gate, at: store.clock.monotonicTime())
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

    /// Ends the lane; when it returns, no request is under way.
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
        if case .failed(.cancelled) = attempt { return await store.release(lease) }
        guard !isSuspended else { return await store.release(lease) }
        await settle(lease, attempt, bodyBytes: request.body.count)
    }

    private func settle(_ lease: Lease, _ attempt: Attempt, bodyBytes: Int) async {
        let verdict = verdict(on: attempt, lease: lease)
        updateGate(verdict, lease: lease, cause: attempt.cause)
        let settlement = Settlement(verdict: verdict, answer: attempt.answer, bodyBytes: bodyBytes, gate: gate)
        await store.settle(lease, settlement)
    }

    private func verdict(on attempt: Attempt, lease: Lease) -> BatchVerdict {
        switch attempt {
        case .answered(let response): destination.verdict(on: response, for: lease.batch)
        case .failed(.untrusted): .paused(.trust)
        case .failed: .retry(after: nil)
        }
    }

    private func updateGate(_ verdict: BatchVerdict, lease: Lease, cause: String) {
        let now = clock.monotonicTime()
        var random = SystemRandomNumberGenerator()
        let hadFailed = gate.failures > 0
        switch verdict {
        case .delivered, .partial:
            gate.succeeded(at: now)
            if hadFailed, gate.failures == 0 { diagnostics.send(.recovered(lane: id)) }
        case .retry(let wait):
            gate.failed(at: now, retryAfter: wait, using: &random)
            diagnostics.send(.retrying(lane: id, cause: cause, wait: now.duration(to: gate.notBefore)))
        case .paused(let reason): pause(reason, now: now, using: &random)
        case .suspect where LaneRunner.isConclusive(lease): pause(.protocolMismatch, now: now, using: &random)
        case .refused, .suspect, .tooLarge: gate.answered()
        }
    }

    private func pause(_ reason: PauseReason, now: MonotonicInstant, using random: inout SystemRandomNumberGenerator) {
        gate.paused(reason, at: now, using: &random)
        diagnostics.send(.paused(lane: id, reason: reason))
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

    /// Half a minute, and a second more for each kilobyte of the body.
    private static func deadline(bodyBytes: Int) -> Duration {
        .seconds(30 + bodyBytes / 1_000)
    }
}

/// What came of sending a request.
enum Attempt: Sendable {
    case answered(HTTPResponse)
    case failed(TransportError)

    /// The cause for a log: a status or the transport's error, never a payload.
    var cause: String {
        switch self {
        case .answered(let response): "status \(response.status)"
        case .failed(let error): "\(error)"
        }
    }

    /// The first 512 bytes of the answer, control characters escaped.
    var answer: String {
        guard case .answered(let response) = self else { return "" }
        var text = ""
        for scalar in String(decoding: response.body.prefix(512), as: UTF8.self).unicodeScalars {
            text += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return text
    }
}

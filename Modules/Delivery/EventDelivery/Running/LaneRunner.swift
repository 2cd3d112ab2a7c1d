import EventOutbox
import EventTracking

/// A sender of one lane's batches. It asks the store for the lane's next step, performs it and returns the result.
///
/// Its only state is the requests in flight, and whether the receiver reads gzip. It runs in Swift's shared thread
/// pool, because it accesses no files, and a thread for each lane would cost memory.
actor LaneRunner {
    private let entry: DeliveryStore.RunnableLane
    private let transport: any Transport
    private let store: DeliveryStore
    private let buffer: EventBuffer
    private var isStopped = false
    private var requests: [EventID: Request] = [:]
    /// Whether the receiver reads gzip, as far as this run knows.
    private var readsGzip: Bool?

    /// A request in flight.
    private struct Request {
        /// The decision number of the last decision or erasure when its batch was leased.
        let number: UInt64
        let task: Task<Void, Never>
    }

    init(_ entry: DeliveryStore.RunnableLane, transport: any Transport, store: DeliveryStore, buffer: EventBuffer) {
        self.entry = entry
        self.transport = transport
        self.store = store
        self.buffer = buffer
    }

    /// Delivers batches until the runner is stopped.
    func run() async {
        while !isStopped {
            switch await store.chooseStep(lane: entry.index) {
            case .send(let lease): await begin(lease)
            case .wait(until: let instant?):
                await entry.wake.wait(until: instant, clock: buffer.clock, runtime: buffer.runtime)
            case .wait(until: nil): await entry.wake.wait()
            case .again: break
            }
        }
        // Settle the last responses before the outbox closes.
        for request in requests.values { await request.task.value }
    }

    /// Cancels requests that may contain denied or erased events.
    ///
    /// - Returns: The requests, which end when the transport reacts.
    func cancelOutdated() -> [Task<Void, Never>] { cancel { isOutdated($0.number) } }

    /// Cancels all requests.
    ///
    /// - Returns: The requests, which end when the transport reacts.
    func cancelAll() -> [Task<Void, Never>] { cancel { _ in true } }

    private func cancel(where isCancelled: (Request) -> Bool) -> [Task<Void, Never>] {
        let tasks = requests.values.filter(isCancelled).map(\.task)
        for task in tasks { task.cancel() }
        return tasks
    }

    /// Whether a later denial of the lane's purpose, or a later erasure, may cover the events of a lease.
    ///
    /// - Parameter number: The decision number of the last decision or erasure when the events were leased.
    private func isOutdated(_ number: UInt64) -> Bool { max(entry.consent.denial, buffer.lastErasure) > number }

    /// Starts no further requests and cancels those in flight.
    ///
    /// ``run()`` returns when they have ended.
    func halt() {
        isStopped = true
        for request in requests.values { request.task.cancel() }
        entry.wake.signal()
    }

    /// Starts the request of a lease, after cancelled requests that are still running.
    private func begin(_ lease: Lease) async {
        // The lease of a cancelled request may have been released while the request was still running.
        while let old = requests.first(where: { isOutdated($0.value.number) || $0.key == lease.stored.id }) {
            await old.value.task.value
        }
        let task = buffer.runtime.task { await self.deliver(lease) }
        requests[lease.stored.id] = Request(number: lease.number, task: task)
    }

    /// Whether a lease may be sent: its task was not cancelled, the lane is neither stopped nor held, the storage is not
    /// suspended, and no decision was made since the batch was leased.
    private func isCurrent(_ lease: Lease) -> Bool {
        // A request also carries the decisions about other purposes.
        !Task.isCancelled && !isStopped && !buffer.isClosed && !isOutdated(lease.number)
            && buffer.consents == lease.batch.consents && entry.consent.value == .granted && entry.holds.isEmpty
            && !store.isSuspending
    }

    /// Sends a batch and settles its lease.
    ///
    /// It checks the lease and starts the request without a suspension, so a decision either prevents the request or
    /// cancels it.
    private func deliver(_ lease: Lease) async {
        guard isCurrent(lease) else {
            await store.release(lease, lane: entry.index)
            return end(lease)
        }
        let request = entry.destination.request(for: lease.batch)
        if buffer.outcomes.hasListeners {
            buffer.outcomes.publish(.sent, lane: entry.destination.lane, lease.batch.events.lazy.map(\.id))
        }
        let start = buffer.clock.monotonicTime()
        var attempt = await send(request, of: lease)
        let age = start.duration(to: buffer.clock.monotonicTime())
        if case .failed(.timedOut, let deadline) = attempt {
            // A connection without a byte ends before the deadline.
            attempt = .failed(.timedOut, within: min(deadline, max(age, LaneRunner.shortestDeadline)))
        }
        if isStopped, case .failed(.cancelled, _) = attempt, age >= LaneStatistics.patience {
            // Report it as timed out: the final statistics then name the receiver that did not respond.
            attempt = .failed(.timedOut, within: age)
        }
        let outcome = RequestOutcome(
            result: result(for: attempt, lease: lease),
            attempt: attempt,
            bodyBytes: request.body.count,
            receiver: request.url.hostAndPort,
            duration: age
        )
        // A cancelled request has no result. A request that ends as cancelled without having been cancelled has failed.
        if case .failed(.cancelled, _) = attempt, !isCurrent(lease) {
            await store.release(lease, lane: entry.index)
        } else if await store.complete(lease, outcome, lane: entry.index) {
            for (id, other) in requests where id != lease.stored.id { other.task.cancel() }
        }
        end(lease)
    }

    private func end(_ lease: Lease) {
        requests[lease.stored.id] = nil
        entry.wake.signal()
    }

    /// Sends a request, compressed unless the receiver cannot read gzip.
    ///
    /// If the receiver has accepted no compressed body yet and refuses one, it gets the same body once more without
    /// compression. If it accepts this body, the run sends no other compressed body.
    private func send(_ request: HTTPRequest, of lease: Lease) async -> Attempt {
        var request = request
        if readsGzip == false { request.allowsGzip = false }
        request.pack()
        let attempt = await LaneRunner.attempt(request, over: transport)
        guard readsGzip == nil, let status = attempt.status, request.isCompressed else { return attempt }
        if status / 100 == 2 { readsGzip = true }
        guard [400, 415, 422].contains(status) else { return attempt }
        guard isCurrent(lease) else { return .failed(.cancelled, within: .zero) }
        request.allowsGzip = false
        let plain = await LaneRunner.attempt(request, over: transport)
        if readsGzip == nil, let status = plain.status, status / 100 == 2 { readsGzip = false }
        return plain
    }

    private static func attempt(_ request: HTTPRequest, over transport: any Transport) async -> Attempt {
        let deadline = deadline(of: request)
        do throws(TransportError) {
            return .responded(try await transport.send(request, timeout: deadline))
        } catch {
            return .failed(error, within: deadline)
        }
    }

    private func result(for attempt: Attempt, lease: Lease) -> BatchResult {
        switch attempt {
        case .responded(let response):
            entry.destination.result(for: RetryAfter.dated(response, at: buffer.clock.wallTime()), of: lease.batch)
        case .failed(.untrusted, _), .failed(.hostMismatch, _), .failed(.unreadableAuthorities, _),
            .failed(.unusableCertificate, _):
            .paused(.trust)
        case .failed(.proxyFailed(_, status: 407), _): .paused(.credentials)
        case .failed: .retry(after: nil)
        }
    }

    /// The deadline of a request without a body.
    private static let shortestDeadline = Duration.seconds(30)

    /// Returns 30 seconds, plus one second for each kilobyte of the body as it is sent.
    static func deadline(of request: HTTPRequest) -> Duration {
        shortestDeadline + .seconds(request.sentBody.count / 1_000)
    }
}

import CoreTracker

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends one lane's batches: asks the store for the lane's next step, does it, and hands back what came of it.
///
/// It has no state of its own but the requests under way. It runs in Swift's shared pool, since it touches no file: a
/// thread for each lane would cost memory.
actor LaneRunner {
    private let lane: Int
    private let destination: any Destination
    private let transport: any Transport
    private let store: DeliveryStore
    private let intake: Intake
    private let wake: WakeSignal
    private let consent: LaneConsent
    private var isStopped = false
    private var requests: [EventID: Request] = [:]

    private typealias Request = (word: UInt64, erasures: Int, task: Task<Void, Never>)

    init(_ entry: DeliveryStore.RunnableLane, transport: any Transport, store: DeliveryStore, intake: Intake) {
        lane = entry.index
        destination = entry.destination
        wake = entry.wake
        consent = entry.consent
        self.transport = transport
        self.store = store
        self.intake = intake
    }

    /// Delivers until the runner is stopped.
    func run() async {
        while !isStopped {
            switch await store.nextStep(lane: lane) {
            case .send(let lease): await begin(lease)
            case .wait(until: let instant?):
                await wake.wait(until: instant, clock: intake.clock, runtime: intake.runtime)
            case .wait(until: nil): await wake.wait()
            case .again: break
            }
        }
        // What was answered at the last moment is settled before the outbox closes.
        for request in requests.values { await request.task.value }
    }

    /// Calls back the requests that were begun before the last word about consent, or before something was to be
    /// erased; when it returns, none of them sends any more.
    func cancelOutdated() async {
        let outdated = requests.values.filter { $0.word != consent.number || $0.erasures != consent.erasures }
        for request in outdated { request.task.cancel() }
        for request in outdated { await request.task.value }
    }

    /// Lets no request begin from here on, and calls back those that are under way; when they have ended, ``run()``
    /// returns.
    func halt() {
        isStopped = true
        for request in requests.values { request.task.cancel() }
        wake.signal()
    }

    /// Begins a request, unless the lane was stopped, the user has said something or something was to be erased since
    /// it was leased.
    ///
    /// From the look at the word to the note of the request nothing suspends, so a denial comes either before the one
    /// or finds the other.
    private func begin(_ lease: Lease) async {
        // What was called back needs a moment still, though its lease is gone.
        while let old = requests.first(where: { isOutdated($0.value, by: lease) || $0.key == lease.stored.id }) {
            await old.value.task.value
        }
        // A request carries what is said about other purposes, too.
        let isLast = consent.number == lease.word.number && intake.withLanes { $0.consents } == lease.batch.consents
        guard !isStopped, isLast, consent.erasures == lease.erasures else {
            return await store.release(lease, lane: lane)
        }
        let task = intake.runtime.task { await self.deliver(lease) }
        requests[lease.stored.id] = (lease.word.number, lease.erasures, task)
    }

    private func isOutdated(_ request: Request, by lease: Lease) -> Bool {
        request.word != lease.word.number || request.erasures != lease.erasures
    }

    private func deliver(_ lease: Lease) async {
        let request = destination.request(for: lease.batch)
        let attempt = await LaneRunner.attempt(request, over: transport)
        let settlement = Settlement(
            verdict: verdict(on: attempt, lease: lease),
            attempt: attempt,
            bodyBytes: request.body.count,
            receiver: request.url.hostAndPort
        )
        // A request that was called back has no result; one that ends so by itself has failed.
        if case .failed(.cancelled, _) = attempt, Task.isCancelled {
            await store.release(lease, lane: lane)
        } else if await store.complete(lease, settlement, lane: lane) {
            for (id, other) in requests where id != lease.stored.id { other.task.cancel() }
        }
        requests[lease.stored.id] = nil
        wake.signal()
    }

    private static func attempt(_ request: HTTPRequest, over transport: any Transport) async -> Attempt {
        guard !Task.isCancelled else { return .failed(.cancelled, within: .zero) }
        let deadline = deadline(bodyBytes: request.body.count)
        do throws(TransportError) {
            return .answered(try await transport.send(request, deadline: deadline))
        } catch {
            return .failed(error, within: deadline)
        }
    }

    private func verdict(on attempt: Attempt, lease: Lease) -> BatchVerdict {
        switch attempt {
        case .answered(let response): destination.verdict(on: dated(response), for: lease.batch)
        case .failed(.untrusted, _), .failed(.hostMismatch, _): .paused(.trust)
        case .failed: .retry(after: nil)
        }
    }

    /// The answer with the time of its arrival as its date, where it has none (RFC 9110 §6.6.1).
    private func dated(_ response: HTTPResponse) -> HTTPResponse {
        guard response.headers["date"] == nil else { return response }
        var response = response
        response.headers["date"] = intake.clock.wallTime().httpDate
        return response
    }

    /// Half a minute, and a second more for each kilobyte of the body.
    private static func deadline(bodyBytes: Int) -> Duration {
        .seconds(30 + bodyBytes / 1_000)
    }
}

/// What came of sending a request.
enum Attempt: Sendable {
    case answered(HTTPResponse)
    /// The request has no response; the duration is its deadline.
    case failed(TransportError, within: Duration)

    /// The reason code for reports and logs: a status or the transport's error, never a payload.
    var cause: String {
        switch self {
        case .answered(let response): "status \(response.status)"
        case .failed(.timedOut, let deadline): "no response within \(deadline.inOneUnit)"
        case .failed(let error, _): error.description
        }
    }

    /// The start of the answer, as quarantine keeps it.
    var answer: String {
        guard case .answered(let response) = self else { return "" }
        return AnswerText.snippet(response.body)
    }

    /// The failure, as the lane's row keeps it.
    ///
    /// - Parameters:
    ///   - kind: What the engine does about it.
    ///   - code: The receiver's own code; without a response, the reason code replaces it.
    ///   - receiver: The receiver's host and port.
    ///   - time: The time of the failure.
    func failure(_ kind: String, code: String = "", of receiver: String, at time: Timestamp) -> StoredFailure {
        guard case .answered(let response) = self else {
            return StoredFailure(time: time, kind: kind, code: cause, receiver: receiver)
        }
        return StoredFailure(
            time: time,
            kind: kind,
            status: response.status,
            code: code,
            answer: answer,
            receiver: receiver
        )
    }

    /// The failure of a device's clock that is more than an hour from the receiver's; `nil` where they agree, and where
    /// the receiver names no time.
    func clockFailure(at time: Timestamp) -> StoredFailure? {
        guard let ahead = secondsAhead(at: time), ahead.magnitude > Attempt.toleratedSeconds,
            case .answered(let response) = self
        else { return nil }
        return StoredFailure(time: time, kind: "clock", status: response.status, code: "\(ahead)")
    }

    /// The receiver's own time where the device's clock agrees with it.
    func agreedTime(at time: Timestamp) -> Timestamp? {
        guard let ahead = secondsAhead(at: time), ahead.magnitude <= Attempt.toleratedSeconds else { return nil }
        return receiverTime
    }

    private static let toleratedSeconds: UInt64 = 3600

    /// How far the device's clock is ahead of the receiver's.
    private func secondsAhead(at time: Timestamp) -> Int64? {
        receiverTime.map { receiver in
            let (ahead, overflow) = time.seconds.subtractingReportingOverflow(receiver.seconds)
            return overflow ? .max : ahead
        }
    }

    /// The receiver's own time, where it names one.
    var receiverTime: Timestamp? {
        guard case .answered(let response) = self else { return nil }
        return response.headers["date"].flatMap { Timestamp(httpDate: $0) }
    }
}

/// What a lane's runner reports about an attempt.
struct Settlement: Sendable {
    /// What the answer means.
    let verdict: BatchVerdict
    /// What came of the request.
    let attempt: Attempt
    /// The bytes of the body before compression.
    let bodyBytes: Int
    /// The receiver's host and port.
    var receiver = ""

    /// The failure, as the lane's row keeps it.
    func failure(_ kind: String, code: String = "", at time: Timestamp) -> StoredFailure {
        attempt.failure(kind, code: code, of: receiver, at: time)
    }
}

extension URL {
    /// The host and port that a request goes to, such as `collector.example:443`; empty without a host.
    var hostAndPort: String {
        guard let host = host(), !host.isEmpty else { return "" }
        return "\(host.contains(":") ? "[\(host)]" : host):\(port ?? (scheme == "http" ? 80 : 443))"
    }
}

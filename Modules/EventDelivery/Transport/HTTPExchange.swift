import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request under way: gathers what the session reports and answers its sender once.
final class HTTPExchange: Sendable {
    /// The largest body of an answer that is kept, in bytes.
    static let maximumBody = 64 * 1024
    private static let maximumInterims = 16
    /// How long a cancelled request is waited for; with the deadline it stays below the contract's extra second.
    private static let grace = DispatchTimeInterval.milliseconds(750)

    private struct State {
        var sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?
        var deadline: (any DispatchSourceTimer)?
        var abortion: TransportError?
        var head: HTTPURLResponse?
        var interims = 0
        var body: [UInt8] = []
        var isCut = false
        var isChallenged = false
    }

    /// Where an exchange waits and cancels.
    ///
    /// Serial queues, because each of them has a thread at once: a concurrent one shares a pool whose threads the
    /// session may keep busy. Two of them, because `cancel` waits for the session's own queue (in FoundationNetworking),
    /// and no deadline may wait behind it.
    struct Queues: Sendable {
        private static let label = "EventDelivery.HTTPExchange"
        let deadlines = DispatchQueue(label: "\(label).deadlines")
        let cancellations = DispatchQueue(label: "\(label).cancellations")
    }

    private let task: URLSessionTask
    private let queues: Queues
    private let state = Mutex(State())

    /// Wraps a task that has not been started.
    init(_ task: URLSessionTask, on queues: Queues) {
        self.task = task
        self.queues = queues
    }

    /// Starts the request and its deadline, and waits for the outcome.
    func run(deadline: Duration) async -> Result<HTTPResponse, TransportError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { sender in
                start(sender, deadline)
                if Task.isCancelled { abort(.cancelled) }
            }
        } onCancel: {
            abort(.cancelled)
        }
    }

    /// Takes the head of an answer; only the last of several counts, the others are interim ones.
    func receive(_ head: HTTPURLResponse) {
        let interims = state.withLock { state in
            if (100..<200).contains(head.statusCode) { state.interims += 1 }
            state.head = head
            return state.interims
        }
        if interims > HTTPExchange.maximumInterims { abort(.invalidResponse) }
    }

    /// Takes a part of the body, and ends the request when it goes beyond what is kept.
    func receive(_ part: Data) {
        let isCut = state.withLock { state in
            let room = HTTPExchange.maximumBody - state.body.count
            state.body.append(contentsOf: part.prefix(room))
            state.isCut = part.count > room
            return state.isCut
        }
        if isCut { abort(.invalidResponse) }
    }

    /// Takes the refusal that a challenge came with; the challenge is not answered, which ends the request.
    func receiveChallenge(_ refusal: HTTPURLResponse) {
        state.withLock { state in
            state.head = refusal
            state.isChallenged = true
        }
    }

    /// Takes the end of the request.
    func complete(_ error: (any Error)?) {
        finish { outcome(of: $0, error) }
    }

    private func start(_ sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>, _ limit: Duration) {
        state.withLock { $0.sender = sender }
        task.resume()
        state.withLock { state in
            if state.sender != nil { state.deadline = startedTimer(limit) }
        }
    }

    private func startedTimer(_ limit: Duration) -> sending any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queues.deadlines)
        timer.setEventHandler { [self] in abort(.timedOut) }
        timer.schedule(deadline: .now() + .nanoseconds(Int(clamping: limit.nanoseconds)))
        timer.activate()
        return timer
    }

    /// Ends the request for a reason; the sender goes on when the session has let go of it, or at the end of the grace.
    private func abort(_ reason: TransportError) {
        let isFirst = state.withLock { state in
            guard state.abortion == nil, state.sender != nil else { return false }
            state.abortion = reason
            return true
        }
        guard isFirst else { return }
        queues.cancellations.async { [self] in task.cancel() }
        queues.deadlines.asyncAfter(deadline: .now() + HTTPExchange.grace) { [self] in
            finish { outcome(of: $0, CancellationError()) }
        }
    }

    private func finish(_ outcome: (State) -> Result<HTTPResponse, TransportError>) {
        let (sender, result) = state.withLock { state in
            state.deadline?.cancel()
            state.deadline = nil
            defer { state.sender = nil }
            return (state.sender, outcome(state))
        }
        sender?.resume(returning: result)
    }

    private func outcome(of state: State, _ error: (any Error)?) -> Result<HTTPResponse, TransportError> {
        if state.abortion == .cancelled { return .failure(.cancelled) }
        let head = state.head ?? (error == nil ? task.response as? HTTPURLResponse : nil)
        let isAnswer = error == nil || state.isChallenged || state.isCut && head?.statusCode ?? 200 >= 300
        guard let head, isAnswer else { return .failure(state.abortion ?? failure(error)) }
        let response = HTTPResponse(head, body: state.body)
        return response.hasReadableLength ? .success(response) : .failure(.invalidResponse)
    }

    private func failure(_ error: (any Error)?) -> TransportError {
        let isSecure = task.originalRequest?.url?.scheme?.lowercased() == "https"
        return TransportError(error, isHandshake: isSecure && task.countOfBytesSent == 0)
    }
}

extension HTTPResponse {
    fileprivate init(_ head: HTTPURLResponse, body: [UInt8]) {
        var headers: [String: String] = [:]
        for (name, value) in head.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        self.init(status: head.statusCode, headers: headers, body: body)
    }

    /// A length that is no number leaves open whether the body is whole.
    fileprivate var hasReadableLength: Bool {
        headers["content-length"]?.split(separator: ",").allSatisfy { part in
            Int(part.drop { $0 == " " }) != nil
        } ?? true
    }
}

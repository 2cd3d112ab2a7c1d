#if canImport(Darwin)
import Dispatch
import Foundation
import Locks

/// An in-flight request, which collects the session's reports and completes its caller once.
final class URLSessionExchange: Sendable {
    /// How long the caller waits for a cancelled task.
    ///
    /// The timeout and this time together stay within the extra second of ``Transport``.
    private static let grace = DispatchTimeInterval.milliseconds(500)

    private struct State {
        var task: URLSessionTask?
        var sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?
        var deadline: (any DispatchSourceTimer)?
        var abortion: TransportError?
        var head: HTTPURLResponse?
        var interims = 0
        var body: [UInt8] = []
        var isCut = false
        var isRefused = false
        var isStale = false
    }

    /// The queues for operations that may block, and for deadlines.
    ///
    /// Both queues are serial, because a serial queue has a thread. Concurrent queues share threads that the sessions may
    /// block.
    struct Queues: Sendable {
        private static let label = "EventDelivery.URLSessionExchange"
        let tasks = DispatchQueue(label: "\(label).tasks")
        let deadlines = DispatchQueue(label: "\(label).deadlines")
    }

    private let queues: Queues
    private let makeTask: @Sendable (URLSessionExchange) -> URLSessionTask
    private let state = Mutex(State())

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - queues: The queues of the transport.
    ///   - makeTask: A function that creates the session's task when the exchange runs.
    init(on queues: Queues, makeTask: @escaping @Sendable (URLSessionExchange) -> URLSessionTask) {
        self.queues = queues
        self.makeTask = makeTask
    }

    /// Starts the request and its timer, and waits for the result.
    ///
    /// - Parameter timeout: The maximum time of the request.
    /// - Returns: The response, or the reason that there is none.
    func run(timeout: Duration) async -> Result<HTTPResponse, TransportError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { sender in
                start(sender, timeout)
                if Task.isCancelled { abort(.cancelled) }
            }
        } onCancel: {
            abort(.cancelled)
        }
    }

    /// Records the head of a response.
    ///
    /// Only the last head is used, because others are interim responses.
    func receive(_ head: HTTPURLResponse) {
        let interims = state.withLock { state in
            if (100..<200).contains(head.statusCode) { state.interims += 1 }
            state.head = head
            return state.interims
        }
        if interims > ResponseLimits.maximumInterims { abort(.invalidResponse) }
    }

    /// Appends a part of the body.
    ///
    /// If the body exceeds its limit, ends the request.
    func receive(_ part: Data) {
        let isCut = state.withLock { state in
            let room = ResponseLimits.maximumBody - state.body.count
            state.body.append(contentsOf: part.prefix(room))
            state.isCut = state.isCut || part.count > room
            return state.isCut
        }
        if isCut { abort(.invalidResponse) }
    }

    /// Records the head of a response that asks for another request, such as a redirect, and ends the request.
    func receiveRefusal(_ head: HTTPURLResponse) {
        state.withLock { state in
            state.head = head
            state.isRefused = true
        }
        abort(.invalidResponse)
    }

    /// Whether the request used a kept connection that its receiver was closing, and therefore has no response.
    var metStaleConnection: Bool { state.withLock(\.isStale) }

    /// Handles the session's request to send the body again, which occurs only for stale connections.
    func receiveRewind() {
        state.withLock { $0.isStale = $0.head == nil }
        abort(.connectionLost)
    }

    /// Completes the exchange when its task has ended or its grace period is over.
    func complete(_ error: (any Error)?) {
        let (sender, result) = state.withLock { state in
            state.deadline?.cancel()
            state.deadline = nil
            defer { state.sender = nil }
            return (state.sender, URLSessionExchange.outcome(of: state, error))
        }
        sender?.resume(returning: result)
    }

    private func start(_ sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>, _ limit: Duration) {
        state.withLock { state in
            state.sender = sender
            state.deadline = startedTimer(limit)
        }
        queues.tasks.async { [self] in
            guard isWanted else { return }
            let task = makeTask(self)
            state.withLock { $0.task = task }
            if isWanted { task.resume() } else { task.cancel() }
        }
    }

    private var isWanted: Bool { state.withLock { $0.sender != nil } }

    private func startedTimer(_ limit: Duration) -> sending any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queues.deadlines)
        timer.setEventHandler { [self] in abort(.timedOut) }
        timer.schedule(deadline: .now() + limit / .seconds(1))
        timer.activate()
        return timer
    }

    /// Ends the request for a reason.
    ///
    /// The caller resumes when the session has ended the task, or after the grace period.
    private func abort(_ reason: TransportError) {
        let (isFirst, task) = state.withLock { state in
            guard state.abortion == nil, state.sender != nil else { return (false, nil as URLSessionTask?) }
            state.abortion = reason
            return (true, state.task)
        }
        guard isFirst else { return }
        guard let task else { return complete(nil) }
        queues.tasks.async { task.cancel() }
        queues.deadlines.asyncAfter(deadline: .now() + Self.grace) { [self] in complete(CancellationError()) }
    }

    private static func outcome(of state: State, _ error: (any Error)?) -> Result<HTTPResponse, TransportError> {
        let head = state.head ?? (error == nil ? state.task?.response as? HTTPURLResponse : nil)
        guard state.abortion != .cancelled, let head, head.statusCode >= 200 else {
            return .failure(state.abortion ?? TransportError(error))
        }
        var response = HTTPResponse(head, body: state.body)
        guard response.hasReadableLength else { return .failure(.invalidResponse) }
        if state.isCut || isUnreadable(error) {
            response.extent = .limited
        } else if error != nil, !state.isRefused {
            response.extent = .interrupted
        }
        return .success(response)
    }

    /// Whether a session could not decompress a body.
    private static func isUnreadable(_ error: (any Error)?) -> Bool {
        [.cannotDecodeRawData, .cannotDecodeContentData].contains((error as? URLError)?.code)
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
}

/// A session delegate that passes reports to their exchange and rejects redirects.
final class HTTPExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: URLSessionExchange]>([:])

    /// Registers an exchange until its task completes.
    func register(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let head = response as? HTTPURLResponse { exchange(of: dataTask)?.receive(head) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let refusal = challenge.failureResponse as? HTTPURLResponse else {
            return completionHandler(.performDefaultHandling, nil)
        }
        exchange(of: task)?.receiveRefusal(refusal)
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        exchange(of: task)?.receiveRewind()
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }
}
#endif

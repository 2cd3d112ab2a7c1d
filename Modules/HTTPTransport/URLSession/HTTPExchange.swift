#if canImport(Darwin) || URLSESSION_ON_LINUX
import Dispatch
import Foundation
import Locks

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request under way: gathers what the session reports and answers its sender once.
final class HTTPExchange: Sendable {
    /// How long a cancelled request is waited for; with the deadline it stays below the contract's extra second.
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

    /// Where exchanges do what may block, and where they wait.
    ///
    /// In FoundationNetworking all sessions share one queue, and creating or cancelling a task waits for it. So neither
    /// is done on the caller's thread, and no deadline waits behind them. They are serial, because each such queue has
    /// a thread; concurrent ones share the threads that the sessions may keep busy.
    struct Queues: Sendable {
        private static let label = "EventDelivery.HTTPExchange"
        let tasks = DispatchQueue(label: "\(label).tasks")
        let deadlines = DispatchQueue(label: "\(label).deadlines")
    }

    private let queues: Queues
    private let makeTask: @Sendable (HTTPExchange) -> URLSessionTask
    private let state = Mutex(State())

    /// Creates an exchange whose task, which reports to it, is made when it runs.
    init(on queues: Queues, makeTask: @escaping @Sendable (HTTPExchange) -> URLSessionTask) {
        self.queues = queues
        self.makeTask = makeTask
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
        if interims > AnswerLimits.maximumInterims { abort(.invalidResponse) }
    }

    /// Takes a part of the body, and ends the request when it goes beyond what is kept.
    func receive(_ part: Data) {
        let isCut = state.withLock { state in
            let room = AnswerLimits.maximumBody - state.body.count
            state.body.append(contentsOf: part.prefix(room))
            state.isCut = state.isCut || part.count > room
            return state.isCut
        }
        if isCut { abort(.invalidResponse) }
    }

    /// Takes the head of an answer that asks for another request, which it does not get: this one ends with it.
    func receiveRefusal(_ head: HTTPURLResponse) {
        state.withLock { state in
            state.head = head
            state.isRefused = true
        }
        abort(.invalidResponse)
    }

    /// Whether the request met a kept connection that its receiver was closing; it has got no answer then.
    var metStaleConnection: Bool { state.withLock(\.isStale) }

    /// Takes the session's wish to send the body again from its start, which it has for stale connections only.
    ///
    /// FoundationNetworking cannot rewind a body that it sends from memory, and would wait for an answer in vain.
    func receiveRewind() {
        state.withLock { $0.isStale = $0.head == nil }
        abort(.connectionLost)
    }

    /// Takes the end of the request, or gives up waiting for it.
    func complete(_ error: (any Error)?) {
        let (sender, result) = state.withLock { state in
            state.deadline?.cancel()
            state.deadline = nil
            defer { state.sender = nil }
            return (state.sender, HTTPExchange.outcome(of: state, error))
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

    /// Ends the request for a reason; the sender goes on when the session has let go of it, or at the end of the grace.
    private func abort(_ reason: TransportError) {
        let (isFirst, task) = state.withLock { state in
            guard state.abortion == nil, state.sender != nil else { return (false, nil as URLSessionTask?) }
            state.abortion = reason
            return (true, state.task)
        }
        guard isFirst else { return }
        guard let task else { return complete(nil) }
        queues.tasks.async { task.cancel() }
        queues.deadlines.asyncAfter(deadline: .now() + HTTPExchange.grace) { [self] in complete(CancellationError()) }
    }

    private static func outcome(of state: State, _ error: (any Error)?) -> Result<HTTPResponse, TransportError> {
        let head = state.head ?? (error == nil ? state.task?.response as? HTTPURLResponse : nil)
        let isWhole = (error == nil || state.isRefused) && !state.isCut
        guard state.abortion != .cancelled, let head, isWhole || state.isCut && head.statusCode >= 300 else {
            return .failure(state.abortion ?? TransportError(error))
        }
        let response = HTTPResponse(head, body: state.body)
        return response.hasReadableLength ? .success(response) : .failure(.invalidResponse)
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

/// The session's delegate: hands what is reported to the exchange that it belongs to, and refuses redirects.
final class HTTPExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: HTTPExchange]>([:])

    /// Makes an exchange known until its task completes.
    func register(_ exchange: HTTPExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // Its handler ends the process when the task has been cancelled meanwhile; cancelling alone refuses as well.
        exchange(of: task)?.receiveRefusal(response)
        #else
        completionHandler(nil)
        #endif
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

    private func exchange(of task: URLSessionTask) -> HTTPExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }
}
#endif

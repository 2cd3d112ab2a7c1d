public import EventDelivery
import Locks

/// A transport without a network: keeps what is sent, and answers by a script.
public final class ScriptedTransport: Transport {
    /// What becomes of a request.
    public enum Answer: Sendable {
        /// The receiver answers.
        case respond(HTTPResponse)
        /// The request fails.
        case fail(TransportError)
        /// Nothing ever comes; only cancelling ends it.
        case hang
    }

    /// A script: the request and its number, from 1.
    public typealias Script = @Sendable (HTTPRequest, Int) -> Answer

    private struct State {
        var requests: [HTTPRequest] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let script: Mutex<Script>
    private let state = Mutex(State())

    /// Creates a transport; without a script everything is acknowledged with 200.
    public init(script: @escaping Script = { _, _ in .respond(HTTPResponse(status: 200)) }) {
        self.script = Mutex(script)
    }

    /// Changes the script for the requests to come.
    public func setScript(_ script: @escaping Script) {
        self.script.withLock { $0 = script }
    }

    /// What has been sent so far.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Waits until so many requests have been sent.
    public func requests(count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.requests.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    public func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        let (number, met) = state.withLock { state in
            state.requests.append(request)
            let count = state.requests.count
            let met = state.waiting.filter { $0.count <= count }.map(\.continuation)
            state.waiting.removeAll { $0.count <= count }
            return (count, met)
        }
        for continuation in met { continuation.resume() }
        switch script.withLock({ $0 })(request, number) {
        case .respond(let response): return response
        case .fail(let error): throw error
        case .hang:
            // An hour stands for ever; cancelling ends it at once.
            try? await ContinuousClock().sleep(for: .seconds(3600))
            throw Task.isCancelled ? .cancelled : .timedOut
        }
    }
}

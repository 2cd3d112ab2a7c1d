public import EventDelivery
import Locks

/// A transport without a network, which records requests and responds according to a script.
///
/// ```swift
/// let transport = ScriptedTransport { _, _ in .fail(.timedOut) }
/// ```
public final class ScriptedTransport: Transport {
    /// The result of a request.
    public enum Action: Sendable {
        /// The receiver responds.
        case respond(HTTPResponse)
        /// The request fails.
        case fail(TransportError)
        /// The request hangs until its task is cancelled.
        case hang
    }

    /// A closure that returns the result of a request.
    ///
    /// Its arguments are the request and its number, from 1.
    public typealias Script = @Sendable (HTTPRequest, Int) -> Action

    private struct State {
        var requests: [HTTPRequest] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let script: Mutex<Script>
    private let state = Mutex(State())

    /// Creates a transport.
    ///
    /// - Parameter script: The script. By default, all requests get status 200.
    public init(script: @escaping Script = { _, _ in .respond(HTTPResponse(status: 200)) }) {
        self.script = Mutex(script)
    }

    /// Replaces the script for later requests.
    ///
    /// - Parameter script: The new script.
    public func setScript(_ script: @escaping Script) {
        self.script.withLock { $0 = script }
    }

    /// The recorded requests, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Waits until a number of requests was sent.
    ///
    /// - Parameter count: The total number of requests to wait for.
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

    public func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
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
            // An hour represents an unlimited time. Cancelling the task ends it immediately.
            try? await ContinuousClock().sleep(for: .seconds(3600))
            throw Task.isCancelled ? .cancelled : .timedOut
        }
    }
}

#if !canImport(Darwin)
import Locks

/// An in-flight request.
///
/// Only the first completion is used.
final class CurlExchange: Sendable {
    private struct State {
        var sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?
        var loop: CurlLoop?
    }

    /// The number that identifies the exchange in its transport and in libcurl.
    ///
    /// It is never 0.
    let id: UInt
    /// The request.
    let request: WireRequest
    /// The latest end of the exchange.
    let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    /// Creates an exchange that has not started.
    ///
    /// - Parameters:
    ///   - id: The number that identifies the exchange. It must not be 0.
    ///   - request: The request.
    ///   - deadline: The latest end of the exchange.
    init(id: UInt, _ request: WireRequest, deadline: ContinuousClock.Instant) {
        self.id = id
        self.request = request
        self.deadline = deadline
    }

    /// The loop that runs the exchange, or `nil` before the start and after the completion.
    var loop: CurlLoop? { state.withLock(\.loop) }

    /// Sets the continuation of the caller, which waits for the result.
    func begin(_ sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>) {
        state.withLock { $0.sender = sender }
    }

    /// Sets the loop that runs the exchange.
    func enter(_ loop: CurlLoop) {
        state.withLock { $0.loop = loop }
    }

    /// Completes the exchange.
    ///
    /// If it is complete already, does nothing.
    func complete(_ result: Result<HTTPResponse, TransportError>) {
        let sender = state.withLock { state in
            defer { (state.sender, state.loop) = (nil, nil) }
            return state.sender
        }
        sender?.resume(returning: result)
    }
}
#endif

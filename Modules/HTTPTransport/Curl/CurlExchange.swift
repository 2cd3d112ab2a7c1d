#if !canImport(Darwin)
import Synchronization

/// One request under way: whoever answers first is heard.
final class CurlExchange: Sendable {
    private struct State {
        var sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?
        var loop: CurlLoop?
    }

    /// The number by which its transport and libcurl know it; never 0.
    let id: UInt
    /// What is sent.
    let request: WireRequest
    /// When it has to have ended.
    let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    /// Creates an exchange that has not begun.
    init(id: UInt, _ request: WireRequest, deadline: ContinuousClock.Instant) {
        self.id = id
        self.request = request
        self.deadline = deadline
    }

    /// The loop that carries it out, from its start to its answer.
    var loop: CurlLoop? { state.withLock(\.loop) }

    /// Takes who waits for the answer.
    func begin(_ sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>) {
        state.withLock { $0.sender = sender }
    }

    /// Takes the loop that carries it out.
    func enter(_ loop: CurlLoop) {
        state.withLock { $0.loop = loop }
    }

    /// Answers, unless somebody has.
    func answer(_ result: Result<HTTPResponse, TransportError>) {
        let sender = state.withLock { state in
            defer { (state.sender, state.loop) = (nil, nil) }
            return state.sender
        }
        sender?.resume(returning: result)
    }
}
#endif

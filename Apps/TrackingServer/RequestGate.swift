import Locks

/// A gate that counts running requests, and lets a server end after the last one.
final class RequestGate: Sendable {
    private struct State {
        var running = 0
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?

        /// Returns the waiting task if there is nothing left to wait for.
        mutating func finished() -> CheckedContinuation<Void, Never>? {
            isClosed && running == 0 ? waiter.take() : nil
        }
    }

    private let state = Mutex(State())

    /// Starts a request.
    ///
    /// - Returns: `false` if the gate is closed.
    func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.running += 1
            return true
        }
    }

    /// Ends a request.
    func leave() {
        let waiter = state.withLock { state in
            state.running -= 1
            return state.finished()
        }
        waiter?.resume()
    }

    /// Closes the gate, and waits until all requests have ended.
    ///
    /// Call this once.
    func close() async {
        await withCheckedContinuation { continuation in
            let waiter = state.withLock { state in
                state.isClosed = true
                state.waiter = continuation
                return state.finished()
            }
            waiter?.resume()
        }
    }
}

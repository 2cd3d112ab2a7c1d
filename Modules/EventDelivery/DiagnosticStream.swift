import Synchronization

/// Hands diagnostics to everyone who listens; a listener that falls behind loses the oldest ones.
final class DiagnosticStream: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Diagnostic>.Continuation] = [:]
        var nextNumber = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A stream of what happens from now on; the newest 256 are kept for a slow listener.
    ///
    /// It ends when the engine is closed; after that it ends at once.
    func subscribe() -> AsyncStream<Diagnostic> {
        let (stream, continuation) = AsyncStream.makeStream(of: Diagnostic.self, bufferingPolicy: .bufferingNewest(256))
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.nextNumber += 1
            state.listeners[state.nextNumber] = continuation
            return state.nextNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ diagnostic: Diagnostic) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(diagnostic) }
    }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}

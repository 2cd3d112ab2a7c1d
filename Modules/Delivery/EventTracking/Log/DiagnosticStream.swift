import Locks

/// A stream of diagnostics for any number of listeners.
///
/// A listener that falls behind loses the oldest ones.
package final class DiagnosticStream: Sendable {
    private struct State {
        var listeners: [(number: Int, continuation: AsyncStream<Diagnostic>.Continuation)] = []
        var nextNumber = 0
        var isFinished = false
        /// Diagnostics for the first listener.
        var unheard: [Diagnostic] = []
    }

    private let state = Mutex(State())
    private let observation: Observation?

    /// Creates a stream.
    ///
    /// - Parameter observation: The engine's observer, which gets each diagnostic even without a listener.
    package init(observation: Observation? = nil) {
        self.observation = observation
    }

    /// Returns a stream of diagnostics from now on.
    ///
    /// It keeps the newest 256 for a slow listener. The stream ends when the engine is closed. A stream requested later
    /// ends at once.
    func subscribe() -> AsyncStream<Diagnostic> {
        let (stream, continuation) = AsyncStream.makeStream(of: Diagnostic.self, bufferingPolicy: .bufferingNewest(256))
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.nextNumber += 1
            state.listeners.append((state.nextNumber, continuation))
            for diagnostic in state.unheard { continuation.yield(diagnostic) }
            state.unheard = []
            return state.nextNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in state.listeners.removeAll { $0.number == number } }
        }
        return stream
    }

    /// Sends a diagnostic to all current listeners.
    ///
    /// - Parameter diagnostic: The diagnostic.
    package func send(_ diagnostic: Diagnostic) {
        observation?.note(.diagnostic(diagnostic))
        for listener in state.withLock(\.listeners) { listener.continuation.yield(diagnostic) }
    }

    /// Sends a diagnostic to all current listeners.
    ///
    /// If there is no listener yet, the first listener receives the diagnostic, but only once if it is sent repeatedly.
    func sendOnce(_ diagnostic: Diagnostic) {
        let (listeners, isNew) = state.withLock { state in
            let isNew = !state.listeners.isEmpty || !state.unheard.contains(diagnostic)
            if isNew, state.listeners.isEmpty { state.unheard.append(diagnostic) }
            return (state.listeners, isNew)
        }
        for listener in listeners { listener.continuation.yield(diagnostic) }
        if isNew { observation?.note(.diagnostic(diagnostic)) }
    }

    /// Ends all streams.
    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return state.listeners
        }
        for listener in listeners { listener.continuation.finish() }
    }
}

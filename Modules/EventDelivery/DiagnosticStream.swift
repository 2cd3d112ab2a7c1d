import Synchronization

/// Hands diagnostics to everyone who listens; a listener that falls behind loses the oldest ones.
final class DiagnosticStream: Sendable {
    private let listeners = Mutex<[Int: AsyncStream<Diagnostic>.Continuation]>([:])
    private let nextNumber = Atomic(0)

    /// A stream of what happens from now on; the newest 256 are kept for a slow listener.
    func subscribe() -> AsyncStream<Diagnostic> {
        let (stream, continuation) = AsyncStream.makeStream(of: Diagnostic.self, bufferingPolicy: .bufferingNewest(256))
        let number = nextNumber.add(1, ordering: .relaxed).newValue
        listeners.withLock { $0[number] = continuation }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ diagnostic: Diagnostic) {
        for listener in listeners.withLock({ Array($0.values) }) { listener.yield(diagnostic) }
    }

    func finish() {
        for listener in listeners.withLock({ Array($0.values) }) { listener.finish() }
    }
}

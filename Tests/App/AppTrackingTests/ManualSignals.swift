import AppTracking
import Locks

/// A source of signals that a test sends.
final class ManualSignals: AppSignalSource {
    private let handler = Mutex<(@Sendable (AppSignal) -> Void)?>(nil)

    func start(_ handler: @escaping @Sendable (AppSignal) -> Void) {
        self.handler.withLock { $0 = handler }
    }

    func stop() {
        handler.withLock { $0 = nil }
    }

    /// Whether the signals have a handler.
    var isStarted: Bool { handler.withLock { $0 != nil } }

    func send(_ signal: AppSignal) {
        handler.withLock { $0 }?(signal)
    }
}

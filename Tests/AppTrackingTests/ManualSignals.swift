import AppTracking
import Locks

/// Signals that a test sends.
final class ManualSignals: AppSignalSource {
    private let handler = Mutex<(@Sendable (AppSignal) -> Void)?>(nil)

    func start(_ handler: @escaping @Sendable (AppSignal) -> Void) {
        self.handler.withLock { $0 = handler }
    }

    func stop() {
        handler.withLock { $0 = nil }
    }

    /// Whether somebody listens.
    var isStarted: Bool { handler.withLock { $0 != nil } }

    func send(_ signal: AppSignal) {
        handler.withLock { $0 }?(signal)
    }
}

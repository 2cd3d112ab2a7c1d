import AppTracking
import Locks

/// A background task whose time never expires.
final class ManualBackgroundTask: BackgroundTask {
    private let tasks = Mutex<[Task<Void, Never>]>([])

    func run(_ work: @escaping @Sendable () async -> Void) {
        tasks.withLock { $0.append(Task { await work() }) }
    }

    /// The number of requests for time.
    var count: Int { tasks.withLock { $0.count } }

    /// Waits until all work has ended.
    func ended() async {
        for task in tasks.withLock({ $0 }) { await task.value }
    }
}

import Locks

#if canImport(UIKit) && !os(watchOS)
public import UIKit
#endif
#if canImport(Darwin)
import Dispatch
import Foundation
#endif

/// A background task, which the system lets run after an app has left the foreground.
///
/// Contract: `run` requests the time before it returns, and never blocks. If the time expires or is not granted, the task
/// of the work is cancelled, and the work must end soon. The time is ended once, when the work has ended.
public protocol BackgroundTask: Sendable {
    /// Runs work as long as the system allows.
    ///
    /// - Parameter work: The work, which is cancelled if the time expires or is not granted.
    func run(_ work: nonisolated(nonsending) @escaping @Sendable () async -> Void)
}

#if canImport(UIKit) && !os(watchOS)
/// A background task of an app with `UIApplication`.
///
/// The system grants about 30 s for the process, and less under pressure.
public struct ApplicationBackgroundTask: BackgroundTask {
    private let application: UIApplication

    /// Creates a background task that uses an application.
    ///
    /// - Parameter application: `UIApplication.shared`, which is not available in extensions.
    public init(_ application: UIApplication) {
        self.application = application
    }

    public func run(_ work: nonisolated(nonsending) @escaping @Sendable () async -> Void) {
        let (application, expiring) = (application, ExpiringWork())
        // Ended in the handler, the time would be over before the work has released a shared directory.
        let identifier = application.beginBackgroundTask(withName: "AppTracking") { expiring.expire() }
        guard identifier != .invalid else {
            expiring.expire()
            return expiring.start(work) {}
        }
        expiring.start(work) { application.endBackgroundTask(identifier) }
    }
}
#endif

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
/// A background task of an app extension or an app on watchOS.
///
/// It uses `performExpiringActivity`.
public struct ExtensionBackgroundTask: BackgroundTask {
    /// Creates a background task that uses the current process.
    public init() {}

    public func run(_ work: nonisolated(nonsending) @escaping @Sendable () async -> Void) {
        let expiring = ExpiringWork()
        // The time lasts until the block returns, on a thread that the system provides. If the time expires, the block
        // is called a second time in parallel. If no time is granted, there is only that call.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "AppTracking") { isExpired in
            if isExpired {
                expiring.expire()
                return expiring.start(work) {}
            }
            let hasEnded = DispatchSemaphore(value: 0)
            expiring.start(work) { hasEnded.signal() }
            hasEnded.wait()
        }
    }
}
#endif

#if os(macOS)
/// A background task of an app on macOS, which is not suspended.
///
/// The system does not terminate the app suddenly during the work.
public struct ActivityBackgroundTask: BackgroundTask {
    /// Creates a background task that uses the current process.
    public init() {}

    public func run(_ work: nonisolated(nonsending) @escaping @Sendable () async -> Void) {
        ProcessInfo.processInfo.disableSuddenTermination()
        ExpiringWork().start(work) { ProcessInfo.processInfo.enableSuddenTermination() }
    }
}
#endif

/// Work that is cancelled when its time expires.
final class ExpiringWork: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var hasExpired = false
    }

    private let state = Mutex(State())

    /// Starts the work, unless it is started, and calls `atEnd` when it has ended.
    ///
    /// If its time has already expired, it is cancelled from its start.
    func start(_ work: @escaping @Sendable () async -> Void, atEnd: @escaping @Sendable () -> Void) {
        let task = state.withLock { state in
            let task = state.task ?? Task { await work() }
            state.task = task
            if state.hasExpired { task.cancel() }
            return task
        }
        Task {
            await task.value
            atEnd()
        }
    }

    /// Cancels the work because its time has expired, without waiting for its end.
    func expire() {
        state.withLock { state in
            state.hasExpired = true
            state.task?.cancel()
        }
    }
}

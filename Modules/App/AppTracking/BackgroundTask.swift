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
/// Contract: `run` requests the time before it returns, and never blocks. If the time expires, the task of the work is
/// cancelled, and the time is ended at once. Otherwise it is ended when the work is complete. It is ended exactly once.
public protocol BackgroundTask: Sendable {
    /// Runs work as long as the system allows.
    ///
    /// - Parameter work: The work, which is cancelled if the time expires.
    func run(_ work: @escaping @Sendable () async -> Void)
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

    public func run(_ work: @escaping @Sendable () async -> Void) {
        let (application, expiring) = (application, ExpiringWork())
        // The system ends an app that does not end its background task, so the handler ends it before it returns.
        let identifier = application.beginBackgroundTask(withName: "AppTracking") { expiring.expire() }
        guard identifier != .invalid else { return expiring.start(work) {} }
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

    public func run(_ work: @escaping @Sendable () async -> Void) {
        let expiring = ExpiringWork()
        // The time lasts until the block returns, on a thread that the system provides. If the time expires, the block
        // is called a second time in parallel. If no time is granted, there is only that call.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "AppTracking") { isExpired in
            guard !isExpired else { return expiring.expire() }
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

    public func run(_ work: @escaping @Sendable () async -> Void) {
        ProcessInfo.processInfo.disableSuddenTermination()
        ExpiringWork().start(work) { ProcessInfo.processInfo.enableSuddenTermination() }
    }
}
#endif

/// Work that ends when it is complete or when its time expires, and reports its end exactly once.
final class ExpiringWork: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var atEnd: (@Sendable () -> Void)?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Starts the work.
    ///
    /// If its time has already expired, the work is not started, and `atEnd` is called at once.
    func start(_ work: @escaping @Sendable () async -> Void, atEnd: @escaping @Sendable () -> Void) {
        let isTooLate = state.withLock { state in
            guard !state.hasEnded else { return true }
            state.atEnd = atEnd
            state.task = Task {
                await work()
                self.end()
            }
            return false
        }
        if isTooLate { atEnd() }
    }

    /// Cancels the work's task because its time has expired, without waiting for it.
    func expire() {
        end()?.cancel()
    }

    /// Reports the end if it was not reported.
    ///
    /// Returns the task, which may still run.
    @discardableResult
    private func end() -> Task<Void, Never>? {
        let (task, atEnd) = state.withLock { state in
            defer {
                state.hasEnded = true
                (state.task, state.atEnd) = (nil, nil)
            }
            return (state.task, state.atEnd)
        }
        atEnd?()
        return task
    }
}

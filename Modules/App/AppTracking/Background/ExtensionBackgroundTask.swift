#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
import Dispatch
import Foundation

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

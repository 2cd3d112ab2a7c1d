#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
import Dispatch
import Foundation

/// The background time of an app extension, and of an app on watchOS: `performExpiringActivity`.
public struct ExtensionTime: BackgroundTime {
    /// Asks the process for time.
    public init() {}

    public func run(_ work: @escaping @Sendable () async -> Void) {
        let expiring = ExpiringWork()
        // The time lasts until the block returns, on a thread that the system lends for it; when the time is up, the
        // block is called a second time beside the first. Without any time there is only that call.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "AppTracking") { isExpired in
            guard !isExpired else { return expiring.expire() }
            let hasEnded = DispatchSemaphore(value: 0)
            expiring.start(work) { hasEnded.signal() }
            hasEnded.wait()
        }
    }
}
#endif

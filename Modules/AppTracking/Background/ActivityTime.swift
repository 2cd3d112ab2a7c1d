#if os(macOS)
import Foundation

/// The background time of an app on macOS, which is not suspended: the system may not end it suddenly meanwhile.
public struct ActivityTime: BackgroundTime {
    /// Asks the process for time.
    public init() {}

    public func run(_ work: @escaping @Sendable () async -> Void) {
        ProcessInfo.processInfo.disableSuddenTermination()
        ExpiringWork().start(work) { ProcessInfo.processInfo.enableSuddenTermination() }
    }
}
#endif

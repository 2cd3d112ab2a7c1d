#if os(macOS)
import Foundation

/// A source of background time for apps on macOS, which are not suspended.
///
/// The system does not terminate the app suddenly during the work.
public struct ActivityTime: BackgroundTime {
    /// Creates a source that uses the current process.
    public init() {}

    public func run(_ work: @escaping @Sendable () async -> Void) {
        ProcessInfo.processInfo.disableSuddenTermination()
        ExpiringWork().start(work) { ProcessInfo.processInfo.enableSuddenTermination() }
    }
}
#endif

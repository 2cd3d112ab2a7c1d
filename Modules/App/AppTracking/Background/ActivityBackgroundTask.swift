#if os(macOS)
import Foundation

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

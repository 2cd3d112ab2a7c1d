#if canImport(UIKit) && !os(watchOS)
public import UIKit

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

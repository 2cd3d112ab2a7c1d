#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// The background time of an app with `UIApplication`: about 30 s for the process, less under pressure.
public struct ApplicationTime: BackgroundTime {
    private let application: UIApplication

    /// Asks this application for time; an app passes `UIApplication.shared`, which extensions may not use.
    public init(_ application: UIApplication) {
        self.application = application
    }

    public func run(_ work: @escaping @Sendable () async -> Void) {
        let (application, expiring) = (application, ExpiringWork())
        // The system ends an app that does not give the time back: the handler gives it back before it returns.
        let identifier = application.beginBackgroundTask(withName: "AppTracking") { expiring.expire() }
        guard identifier != .invalid else { return expiring.start(work) {} }
        expiring.start(work) { application.endBackgroundTask(identifier) }
    }
}
#endif

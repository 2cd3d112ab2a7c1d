#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension DeliveryEngine {
    /// Flushes whenever the app enters the background, under an assertion that keeps the process running meanwhile.
    ///
    /// Call it once, when the app starts, from a task that lives as long as the app; it returns when that task is
    /// cancelled. Correctness does not rest on it: what is not delivered in the time that the system grants (about 30 s
    /// for the process) is stored, and goes with the next start.
    @MainActor
    public func flushInBackground(of application: UIApplication, deadline: Duration = .seconds(20)) async {
        let notifications = NotificationCenter.default
            .notifications(named: UIApplication.didEnterBackgroundNotification)
            .map { _ in () }
        for await _ in notifications {
            // The assertion is taken before the work begins, and ended exactly once, on every path.
            let assertion = BackgroundAssertion(application)
            _ = await flush(deadline: deadline)
            assertion.end()
        }
    }
}

/// A request for time in the background that is given back exactly once.
@MainActor
private final class BackgroundAssertion {
    private let application: UIApplication
    private var identifier = UIBackgroundTaskIdentifier.invalid

    init(_ application: UIApplication) {
        self.application = application
        identifier = application.beginBackgroundTask(withName: "EventDelivery.flush") { [weak self] in
            MainActor.assumeIsolated { self?.end() }
        }
    }

    func end() {
        guard identifier != .invalid else { return }
        application.endBackgroundTask(identifier)
        identifier = .invalid
    }
}
#endif

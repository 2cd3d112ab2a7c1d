#if canImport(FirebaseAnalytics)
public import CoreTracker
import EventDelivery
import FirebaseAnalytics

/// The Firebase SDK of an app that links it; the app calls `FirebaseApp.configure()` first.
public struct FirebaseAnalyticsAdapter: FirebaseSDKAdapter {
    /// Creates the adapter.
    public init() {}

    public func logEvent(_ name: String, parameters: EventParameters) {
        Analytics.logEvent(name, parameters: parameters.foundationObjects)
    }
}
#endif

public import CoreTracker

/// The seam to the Firebase SDK, which only an app links.
///
/// Contract: `logEvent` is called by one service from one place at a time, in the order of tracking; names and values
/// keep the SDK's rules already. This module never links the SDK: the app, which imports `FirebaseAnalytics`, conforms
/// one small type of its own, which the module's page shows.
public protocol FirebaseSDKAdapter: Sendable {
    /// Hands an event to the SDK, which stores and sends it by itself.
    func logEvent(_ name: String, parameters: EventParameters)
}

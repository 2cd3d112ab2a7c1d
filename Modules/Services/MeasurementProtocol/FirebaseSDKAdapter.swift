public import CoreTracker
public import SDKDelivery

/// A connection to the Firebase SDK, which has the events of Firebase and of Google Analytics.
///
/// If your app links the SDK, declare a conforming type.
///
/// Contract: `logEvent` is called for one event at a time, in the order of tracking. Names and values already comply
/// with the SDK's rules. The method may be isolated to an actor. It returns without waiting for the disk or the
/// network. No module of this package links the SDK.
///
/// ```swift
/// struct FirebaseAnalyticsAdapter: FirebaseSDKAdapter {
///     func logEvent(_ name: String, parameters: EventParameters, userID: String?) {
///         Analytics.setUserID(userID)
///         Analytics.logEvent(name, parameters: parameters.dictionary)
///     }
/// }
/// ```
public protocol FirebaseSDKAdapter: Sendable {
    /// Passes an event to the SDK, which stamps, stores and sends it.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters.
    ///   - userID: The user at the time of tracking, if any. The SDK may have another user by now.
    /// - Throws: An error if the SDK cannot accept the event.
    func logEvent(_ name: String, parameters: EventParameters, userID: String?) async throws(SDKError)
}

public import CoreTracker
public import EventDelivery

/// A connection to Braze's SDK.
///
/// An app that links the SDK declares a conforming type.
///
/// Contract: `logCustomEvent` is called for one event at a time, in the order of tracking. Names and properties already
/// comply with Braze's rules. The method may be isolated to an actor. It returns without waiting for the disk or the
/// network.
public protocol BrazeSDKAdapter: Sendable {
    /// Passes an event to the SDK, which stamps, stores and sends it.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - properties: The event's properties.
    ///   - userID: The user at the time of tracking, if any. If the SDK has another user, the adapter changes it first.
    /// - Throws: An error if the SDK cannot accept the event.
    func logCustomEvent(_ name: String, properties: EventParameters, userID: String?) async throws(SDKError)
}

public import CoreTracker
public import EventDelivery

/// The seam to the Firebase SDK, which only an app links.
///
/// Contract: `logEvent` is called for one event after the other, in the order of tracking; names and values keep the
/// SDK's rules already. It may be isolated to an actor, and returns without waiting for disk or network. This module
/// never links the SDK: the app conforms one small type of its own, or takes `FirebaseAnalyticsAdapter`, which is here
/// only where the SDK can be imported.
public protocol FirebaseSDKAdapter: Sendable {
    /// Hands an event to the SDK, which stamps, stores and sends it by itself.
    ///
    /// `userID` is the user of the event's moment, `nil` for none; the SDK's own user may be another one by now.
    func logEvent(_ name: String, parameters: EventParameters, userID: String?) async throws(SDKRefusal)
}

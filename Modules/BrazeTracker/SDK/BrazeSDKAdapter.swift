public import CoreTracker
public import EventDelivery

/// The seam to Braze's SDK, which only an app links.
///
/// Contract: `logCustomEvent` is called for one event after the other, in the order of tracking; names and properties
/// keep Braze's rules already. It may be isolated to an actor, and returns without waiting for disk or network.
public protocol BrazeSDKAdapter: Sendable {
    /// Hands an event to the SDK, which stamps, stores and sends it by itself.
    ///
    /// `userID` is the user of the event's moment, `nil` for none; where the SDK's own user is another one, the adapter
    /// changes it first.
    func logCustomEvent(_ name: String, properties: EventParameters, userID: String?) async throws(SDKRefusal)
}

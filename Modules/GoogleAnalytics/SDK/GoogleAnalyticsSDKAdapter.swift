public import CoreTracker
public import EventDelivery

/// The seam to Google Analytics' SDK, which only an app links.
///
/// Contract: `logEvent` is called for one event after the other, in the order of tracking; names and values keep the
/// SDK's rules already. It may be isolated to an actor, and returns without waiting for disk or network.
public protocol GoogleAnalyticsSDKAdapter: Sendable {
    /// Hands an event to the SDK, which stamps, stores and sends it by itself.
    ///
    /// `userID` is the user of the event's moment, `nil` for none; the SDK's own user may be another one by now.
    func logEvent(_ name: String, parameters: EventParameters, userID: String?) async throws(SDKRefusal)
}

public import CoreTracker
public import EventDelivery

/// The seam to Adobe's Edge SDK, which only an app links.
///
/// Contract: `sendEvent` is called for one event after the other, in the order of tracking. It may be isolated to an
/// actor, and returns without waiting for disk or network: the adapter makes an `ExperienceEvent` of the two and passes
/// no completion.
public protocol AdobeSDKAdapter: Sendable {
    /// Hands an event to the SDK, which stores and sends it by itself.
    ///
    /// `xdm` has the event's type, id, time, signed-in user and members of the schema; `data` everything else.
    func sendEvent(xdm: EventParameters, data: EventParameters) async throws(SDKRefusal)
}

public import CoreTracker
public import EventDelivery

/// A connection to Adobe's Edge SDK.
///
/// An app that links the SDK declares a conforming type.
///
/// Contract: `sendEvent` is called for one event at a time, in the order of tracking. The method may be isolated to an
/// actor. It returns without waiting for the disk or the network: the adapter creates an `ExperienceEvent` and passes
/// no completion handler.
public protocol AdobeSDKAdapter: Sendable {
    /// Passes an event to the SDK, which stores and sends it.
    ///
    /// - Parameters:
    ///   - xdm: The event's type, ID, time and signed-in user, and the members of the schema.
    ///   - data: The other parameters.
    /// - Throws: An error if the SDK cannot accept the event.
    func sendEvent(xdm: EventParameters, data: EventParameters) async throws(SDKError)
}

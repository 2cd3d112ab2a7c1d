public import CoreTracker
public import EventDelivery

/// The SDK of Google Analytics at the end of a product's lane; an app that links the SDK conforms a type of its own.
///
/// Contract: `logEvent` is called for one event after the other, in the order of tracking; names and values already
/// follow the SDK's rules. It may be isolated to an actor, and returns without waiting for disk or network.
public protocol GoogleEventLogger: Sendable {
    /// Passes an event to the SDK, which stamps, stores and sends it.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters.
    ///   - userID: The user at the time of tracking, or `nil`. The SDK's own user may be another one by now.
    func logEvent(_ name: String, parameters: EventParameters, userID: String?) async throws(SDKRefusal)
}

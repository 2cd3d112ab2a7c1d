public import CoreTracker

/// A connection from a ``GoogleAnalyticsService`` to Google Analytics.
///
/// The module `GoogleAnalytics` has an adapter for a delivery engine, `GoogleAnalyticsLane`, with consent, a durable
/// queue and a ledger. A class of the SDK can also be an adapter. In that case the SDK handles consent and losses.
/// Tests use `MockGoogleAnalyticsAdapter`.
///
/// Contract: `trackEvent` may be called from any thread, and returns without waiting for the disk or the network.
public protocol GoogleAnalyticsAdapter: Sendable {
    /// Passes an event to Google Analytics.
    ///
    /// - Parameters:
    ///   - name: The event's name, as the service spells it.
    ///   - properties: The event's properties, as the service spells them.
    func trackEvent(with name: String, properties: EventParameters)
}

extension GoogleAnalyticsAdapter {
    /// The parameters of an event.
    ///
    /// The alias lets a file declare an adapter and import this module only.
    public typealias EventParameters = VendorEvent.Parameters
}

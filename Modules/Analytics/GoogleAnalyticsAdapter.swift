public import CoreTracker

/// The seam between a ``GoogleAnalyticsService`` and Google Analytics.
///
/// The module `GoogleAnalytics` has an adapter over a delivery engine, `GoogleAnalyticsLane`, with consent, a durable
/// queue and a ledger. An SDK's class can be an adapter, too; then consent and losses are the SDK's own affair. A test
/// uses `MockGoogleAnalyticsAdapter`.
///
/// Contract: `trackEvent` may be called from any thread, and returns without waiting for disk or network.
public protocol GoogleAnalyticsAdapter: Sendable {
    /// Passes an event to Google Analytics; its name and properties are those of the service.
    func trackEvent(with name: String, properties: EventParameters)
}

extension GoogleAnalyticsAdapter {
    /// The parameters of an event; a file that declares an adapter imports this module alone.
    public typealias EventParameters = VendorEvent.Parameters
}

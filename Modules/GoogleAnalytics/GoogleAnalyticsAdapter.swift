public import CoreTracker

/// The seam to Google Analytics: the product's lane (``LaneAdapter``), or a mock in a test.
///
/// Contract: `trackEvent` may be called from any thread, returns without waiting for disk or network, and keeps
/// Google's limits on lengths and counts itself; names and values have Google's form already. An SDK is not called from
/// here, where it would be past consent and ledger, but at the end of the lane, by a ``GoogleAnalyticsSDKAdapter``.
public protocol GoogleAnalyticsAdapter: Sendable {
    /// Takes an event: a name in snake case and properties with texts, numbers and lists of items.
    func trackEvent(with name: String, properties: EventParameters)
}

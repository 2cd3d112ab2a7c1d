public import CoreTracker

/// The seam to Google Analytics: an SDK that the app links, the Measurement Protocol, or a mock in a test.
///
/// Contract: `trackEvent` may be called from any thread, returns without waiting for disk or network, and keeps
/// Google's limits on lengths and counts itself; names and values have Google's form already.
public protocol GoogleAnalyticsAdapter: Sendable {
    /// Takes an event: a name in snake case and properties with texts, numbers and lists of items.
    func trackEvent(with name: String, properties: EventParameters)
}

public import CoreTracker
public import EventDelivery

/// Delivers Google Analytics events without an SDK: durably, through the Measurement Protocol of a web stream.
///
/// `trackEvent` returns in about a microsecond; until the app opens the engine with a ``WebStreamDestination``, nothing
/// is sent.
public struct WebStreamAdapter: GoogleAnalyticsAdapter {
    private let lane: DeliveryLane
    private let defaults: @Sendable () -> EventParameters

    /// Creates the adapter of a product, by the product's prefix such as `DL`.
    ///
    /// `defaults` is evaluated inside each `trackEvent`, on the caller's thread; the event's own properties win over
    /// it.
    public init(
        product: String,
        delivery: DeliveryEngine,
        defaults: @escaping @Sendable () -> EventParameters = { [:] }
    ) {
        lane = delivery.lane(.googleAnalytics(product: product))
        self.defaults = defaults
    }

    public func trackEvent(with name: String, properties: EventParameters) {
        lane.track(name, parameters: properties, defaults: defaults())
    }
}

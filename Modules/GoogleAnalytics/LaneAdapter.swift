public import CoreTracker
public import EventDelivery

/// Hands Google Analytics events to the product's lane, so that consent, rules, order and ledger are the engine's.
///
/// Where the lane ends is chosen where the app opens the engine: in a ``WebStreamDestination``, or in an SDK by a
/// ``GoogleAnalyticsSDKDestination``. `trackEvent` returns in about a microsecond; until the engine is open, nothing is
/// sent.
public struct LaneAdapter: GoogleAnalyticsAdapter {
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

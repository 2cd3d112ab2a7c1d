public import Analytics
public import CoreTracker
public import EventDelivery

/// A Google Analytics adapter over a product's lane of the delivery engine: consent, rules, order and ledger are the
/// engine's.
///
/// The lane ends in a ``WebStreamDestination``, or in the SDK by a ``GoogleAnalyticsSDKDestination``; the app chooses
/// when it opens the engine. `trackEvent` returns in about a microsecond; nothing is sent before the engine is open.
public struct GoogleAnalyticsLane: GoogleAnalyticsAdapter {
    private let lane: DeliveryLane
    private let defaults: @Sendable () -> EventParameters

    /// Creates the adapter of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - delivery: The engine that delivers; by default the app's shared one.
    ///   - defaults: Evaluated inside each `trackEvent`, on the caller's thread; the event's own properties win.
    public init(
        product: String,
        delivery: DeliveryEngine = .shared,
        defaults: @escaping @Sendable () -> EventParameters = { [:] }
    ) {
        lane = delivery.lane(.googleAnalytics(product: product))
        self.defaults = defaults
    }

    public func trackEvent(with name: String, properties: EventParameters) {
        lane.track(name, parameters: properties, defaults: defaults())
    }
}

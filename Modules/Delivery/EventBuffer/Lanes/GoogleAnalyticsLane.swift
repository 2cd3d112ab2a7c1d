public import Analytics
public import CoreTracker

/// A Google Analytics adapter for a product's lane of the delivery engine.
///
/// ```swift
/// let engine = DeliveryEngine()
/// let stream = try WebStreamConfiguration(measurementID: "G-ABC1234567", apiSecret: "se-cret")
/// let destination = WebStreamDestination(product: "DL", configuration: stream)
/// let service = GoogleAnalyticsService(adapter: GoogleAnalyticsLane(product: "DL", delivery: engine))
/// ```
///
/// The engine applies consent, rules and order, and keeps the ledger. The app chooses the lane's destination when it
/// opens the engine: a `WebStreamDestination`, or a `GoogleAnalyticsSDKDestination` for the SDK. `trackEvent`
/// returns in about a microsecond. Nothing is sent before the engine is open.
public struct GoogleAnalyticsLane: GoogleAnalyticsAdapter {
    private let lane: DeliveryLane
    private let defaults: @Sendable () -> EventParameters

    /// Creates the adapter of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - delivery: The engine that delivers the events. By default, the app's shared engine.
    ///   - defaults: Returns default parameters. It is called inside each `trackEvent`, on the caller's thread. The
    ///     event's own properties override them.
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

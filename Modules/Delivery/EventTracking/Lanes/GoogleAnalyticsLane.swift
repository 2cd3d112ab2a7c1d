public import Analytics
public import CoreTracker

/// An analytics service over a product's lane of the delivery engine, for Google Analytics.
///
/// ```swift
/// let engine = DeliveryEngine()
/// let stream = try GoogleAnalyticsConfiguration(measurementID: "G-ABC1234567", apiSecret: "se-cret")
/// let destination = GoogleAnalyticsDestination(product: "DL", configuration: stream)
/// let service = GoogleAnalyticsLane(product: "DL", on: engine)
/// ```
///
/// The engine applies consent, rules and order, and keeps the ledger. The app chooses the lane's destination when it
/// opens the engine: a `GoogleAnalyticsDestination`, or a `GoogleAnalyticsSDKDestination` for the SDK. `send` returns in
/// about a microsecond. Nothing is sent before the engine is open.
public struct GoogleAnalyticsLane: AnalyticsService, Sendable {
    private let lane: DeliveryLane
    private let names: GoogleEvent.NameStyle
    private let defaults: @Sendable () -> EventParameters

    /// Creates the service of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - engine: The engine that delivers the events. By default, the app's shared engine.
    ///   - names: The spelling of names and keys; by default they are sent unchanged.
    ///   - defaults: Returns default parameters. It is called inside each `send`, on the caller's thread. The event's
    ///     own properties override them.
    public init(
        product: String,
        on engine: DeliveryEngine = .shared,
        names: GoogleEvent.NameStyle = .asWritten,
        defaults: @escaping @Sendable () -> EventParameters = { [:] }
    ) {
        lane = engine.lane(.googleAnalytics(product: product))
        self.names = names
        self.defaults = defaults
    }

    public func send(event: Journey.Event) {
        let event = GoogleEvent(event, names: names)
        lane.track(event.name, parameters: event.properties, defaults: defaults())
    }
}

public import CoreTracker
public import EventDelivery

/// The Firebase service of every product: it hands events to the product's lane for the GA4 Measurement Protocol.
///
/// One type is shared by all products, and each product configures it. `track` returns in about a microsecond; until
/// the app opens the engine with a ``MeasurementProtocolDestination``, nothing is sent.
public struct MeasurementProtocolService: FirebaseService {
    private let lane: DeliveryLane
    private let defaults: @Sendable () -> EventParameters

    /// Creates the service of a product, by the product's prefix such as `DL`.
    ///
    /// `defaults` is evaluated inside each `track`, on the caller's thread; the event's own parameters win over it.
    /// What it adds counts towards the 25 parameters that Firebase takes.
    public init(
        product: String,
        delivery: DeliveryEngine,
        defaults: @escaping @Sendable () -> EventParameters = { [:] }
    ) {
        lane = delivery.lane(.firebase(product: product))
        self.defaults = defaults
    }

    public func track(_ event: FirebaseEvent) {
        lane.track(event.name, parameters: event.parameters, defaults: defaults())
    }
}

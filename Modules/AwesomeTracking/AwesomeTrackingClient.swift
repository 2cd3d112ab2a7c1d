public import CoreTracker
public import EventDelivery

/// The AwesomeTracking service of every product: it hands events to the product's lane for the in-house receiver.
///
/// One type is shared by all products, and each product gives it default parameters of its own. `track` returns in
/// about a microsecond; until the app opens the engine with a destination for the lane, nothing is sent.
public struct AwesomeTrackingClient: AwesomeTrackingService {
    private let lane: DeliveryLane
    private let defaults: @Sendable () -> EventParameters

    /// Creates the service of a product, by the product's prefix such as `DL`.
    ///
    /// `defaults` is evaluated inside each `track`, on the caller's thread; the event's own parameters win over it.
    public init(
        product: String,
        delivery: DeliveryEngine,
        defaults: @escaping @Sendable () -> EventParameters
    ) {
        lane = delivery.lane(.awesomeTracking(product: product))
        self.defaults = defaults
    }

    public func track(_ event: AwesomeTrackingEvent) {
        lane.track(event.name, parameters: event.parameters, defaults: defaults())
    }
}

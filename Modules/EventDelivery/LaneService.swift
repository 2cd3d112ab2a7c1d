public import CoreTracker
import Locks

/// The one service under Firebase, AwesomeTracking and the vendors: hands a product's events to its lanes of an engine.
///
/// A product's services are such a value, with its default parameters over it where it has some (`ScopedService`).
/// `track` returns in about a microsecond. Until the app opens the engine nothing is sent; an event whose lane has no
/// destination then, such as that of a vendor that the app has not registered, is counted on that lane.
public struct LaneService: FirebaseService, AwesomeTrackingService, VendorService {
    private let product: String
    private let delivery: DeliveryEngine
    private let firebase = FirstUse()
    private let awesomeTracking = FirstUse()

    /// Creates the service of a product, by the product's prefix such as `DL`.
    public init(product: String, delivery: DeliveryEngine) {
        self.product = product
        self.delivery = delivery
    }

    public func track(_ event: FirebaseEvent) {
        firebase.lane { delivery.lane(.firebase(product: product)) }.track(event)
    }

    public func track(_ event: AwesomeTrackingEvent) {
        awesomeTracking.lane { delivery.lane(.awesomeTracking(product: product)) }.track(event)
    }

    public func track(_ event: VendorEvent, type: TrackerType) {
        delivery.lane(LaneID(product: product, service: type.name)).track(event)
    }
}

/// A lane that is made when its first event comes, so that a product has no lane that it does not use.
private final class FirstUse: Sendable {
    final class Made: Sendable {
        let lane: DeliveryLane

        init(_ lane: DeliveryLane) {
            self.lane = lane
        }
    }

    private let made = AtomicLazyReference<Made>()

    func lane(_ make: () -> DeliveryLane) -> DeliveryLane {
        if let made = made.load() { return made.lane }
        return made.storeIfNil(Made(make())).lane
    }
}

extension DeliveryLane {
    /// Tracks an event as its services hand it over; its own defaults win over those of a wider scope.
    public func track(_ event: some ServiceEvent, over defaults: EventParameters = [:]) {
        track(
            event.name,
            parameters: event.parameters,
            defaults: defaults.merging(event.defaults),
            options: event.options
        )
    }
}

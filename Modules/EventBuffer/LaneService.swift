public import CoreTracker
import Locks

/// The one service under Firebase, AwesomeTracking and the vendors: hands a product's events to its lanes of an engine.
///
/// A product's services are small types over such a value, which add the product's default parameters.
/// `track` returns in about a microsecond. Nothing is sent until the app opens the engine. An event whose lane then has
/// no destination is counted on that lane. As a vendor service it ignores the app's `TrackerConfig`.
public struct LaneService: FirebaseService, AwesomeTrackingService, VendorService {
    private let product: String
    private let delivery: DeliveryEngine
    private let firebase = FirstUse()
    private let awesomeTracking = FirstUse()

    /// Creates the service of a product, by the product's prefix such as `DL`.
    public init(product: String, delivery: DeliveryEngine = .shared) {
        self.product = product
        self.delivery = delivery
    }

    public func track(_ event: FirebaseEvent) {
        firebase.lane { delivery.lane(.firebase(product: product)) }.track(event)
    }

    public func track(_ event: AwesomeTrackingEvent) {
        awesomeTracking.lane { delivery.lane(.awesomeTracking(product: product)) }.track(event)
    }

    public func track(_ event: VendorEvent) {
        delivery.lane(LaneID(product: product, service: event.type.name)).track(event)
    }
}

extension NoVendorService {
    /// Creates the vendor service of a product whose tracker was given no other, by the product's prefix such as `DL`.
    ///
    /// It counts each event on the lane of its vendor, such as `DL/braze`, as accepted and dropped with the reason
    /// `no_vendor_service`. The engine need not be open.
    public init(product: String, delivery: DeliveryEngine = .shared) {
        self.init { delivery.lane(LaneID(product: product, service: $0.type.name)).drop(.noVendorService) }
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

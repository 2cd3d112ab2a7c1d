public import CoreTracker

/// The vendors of a product, each as a lane of its own under its type's name, such as `DL/braze`.
///
/// It is what a product falls back on when its app registers no vendors elsewhere: an event of a vendor that the engine
/// has a destination for is delivered, any other is counted on that vendor's lane as having none.
public struct VendorLanes: VendorService {
    private let product: String
    private let delivery: DeliveryEngine

    /// Creates the vendors of a product, by the product's prefix such as `DL`.
    public init(product: String, delivery: DeliveryEngine) {
        self.product = product
        self.delivery = delivery
    }

    public func track(_ event: VendorEvent, type: TrackerType) {
        delivery.lane(LaneID(product: product, service: type.name)).track(event.name, parameters: event.parameters)
    }
}

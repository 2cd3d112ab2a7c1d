public import CoreTracker
public import EventDelivery

/// The vendors of Starfield: each vendor's lane of the delivery engine, such as `SF/braze`.
///
/// An event of a vendor that the app has not registered is counted on that lane as having no destination.
public struct SFVendorService: VendorService {
    private let lanes: VendorLanes

    /// Creates the service on a delivery engine, by default the app's own.
    public init(delivery: DeliveryEngine = .shared) {
        lanes = VendorLanes(product: "SF", delivery: delivery)
    }

    public func track(_ event: VendorEvent, type: TrackerType) {
        lanes.track(event, type: type)
    }
}

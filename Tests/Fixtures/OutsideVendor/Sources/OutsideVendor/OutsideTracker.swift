import CoreTracker
import EventDelivery
import MultiTracker

/// The vendor's tracker.
struct OutsideTracker: Trackable, WishlistTrackable, VendorEventTrackable {
    let type = TrackerType.outside
    private let lane: DeliveryLane

    init(delivery: DeliveryEngine) {
        lane = delivery.lane(LaneID.outside)
    }

    func trackWish(item: String) { lane.track("wish", parameters: ["item": .string(item)]) }

    func track(_ event: VendorEvent) { lane.track(event.name, parameters: event.parameters) }
}

public import CoreTracker
public import EventDelivery
public import MultiTracker

extension TrackerType {
    /// The vendor Outside.
    public static let outside: TrackerType = "outside"
}

extension LaneID {
    /// Returns the lane of a product's events for Outside.
    public static func outside(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.outside.name)
    }
}

/// The tracker of Outside.
public struct OutsideTracker: Trackable, VendorEventTrackable {
    public let type = TrackerType.outside
    /// The lane that accepts the events.
    public let lane: DeliveryLane

    /// Creates the tracker of a product, such as `DL`.
    public init(product: String, delivery: DeliveryEngine = .shared) {
        lane = delivery.lane(.outside(product: product))
    }

    public func track(_ event: VendorEvent) { lane.track(event.name, parameters: event.parameters) }
}

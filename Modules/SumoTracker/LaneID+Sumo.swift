public import CoreTracker

extension LaneID {
    /// The lane of a product's events for Sumo Logic.
    public static func sumo(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.sumo.name)
    }
}

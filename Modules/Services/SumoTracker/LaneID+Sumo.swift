public import CoreTracker

extension LaneID {
    /// Returns the lane of a product's Sumo Logic events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    public static func sumo(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.sumo.name)
    }
}

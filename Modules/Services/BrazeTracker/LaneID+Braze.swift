public import CoreTracker

extension LaneID {
    /// Returns the lane of a product's Braze events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    public static func braze(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.braze.name)
    }
}

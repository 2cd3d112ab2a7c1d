public import CoreTracker

extension LaneID {
    /// Returns the lane of a product's Adobe events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    public static func adobe(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.adobe.name)
    }
}

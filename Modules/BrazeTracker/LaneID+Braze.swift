public import CoreTracker

extension LaneID {
    /// The lane of a product's Braze events.
    public static func braze(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.braze.name)
    }
}

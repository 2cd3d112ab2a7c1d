public import CoreTracker

extension LaneID {
    /// The lane of a product's events for Adobe.
    public static func adobe(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.adobe.name)
    }
}

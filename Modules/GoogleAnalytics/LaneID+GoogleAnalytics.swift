public import CoreTracker

extension LaneID {
    /// The lane of a product's Google Analytics events.
    public static func googleAnalytics(product: String) -> LaneID {
        LaneID(product: product, service: "googleAnalytics")
    }
}

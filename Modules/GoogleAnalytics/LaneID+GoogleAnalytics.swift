public import CoreTracker

extension LaneID {
    /// Returns the lane of a product's Google Analytics events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    public static func googleAnalytics(product: String) -> LaneID {
        LaneID(product: product, service: "googleAnalytics")
    }
}

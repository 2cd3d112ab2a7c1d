public import CoreTracker

extension LaneID {
    /// The lane of a product's AwesomeTracking events.
    public static func awesomeTracking(product: String) -> LaneID {
        LaneID(product: product, service: "awesomeTracking")
    }
}

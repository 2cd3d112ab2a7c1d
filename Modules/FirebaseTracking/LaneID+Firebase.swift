public import CoreTracker

extension LaneID {
    /// The lane of a product's Firebase events.
    public static func firebase(product: String) -> LaneID {
        LaneID(product: product, service: "firebase")
    }
}

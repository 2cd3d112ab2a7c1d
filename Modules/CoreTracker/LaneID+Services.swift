extension LaneID {
    /// The lane of a product's Firebase events.
    public static func firebase(product: String) -> LaneID {
        LaneID(product: product, service: "firebase")
    }

    /// The lane of a product's AwesomeTracking events.
    public static func awesomeTracking(product: String) -> LaneID {
        LaneID(product: product, service: "awesomeTracking")
    }
}

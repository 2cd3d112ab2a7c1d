extension LaneID {
    /// Returns the lane of a product's Firebase events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    public static func firebase(product: String) -> LaneID {
        LaneID(product: product, service: "firebase")
    }

    /// Returns the lane of a product's AwesomeTracking events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    public static func awesomeTracking(product: String) -> LaneID {
        LaneID(product: product, service: "awesomeTracking")
    }

    /// Returns the lane of a product's Google Analytics events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    public static func googleAnalytics(product: String) -> LaneID {
        LaneID(product: product, service: "googleAnalytics")
    }
}

/// An identifier of a lane: a product's queue for one service, such as `DL/firebase`.
///
/// Each lane has its own order, retries, pauses and ledger. A service that is down does not delay the others.
public struct LaneID: Sendable, Hashable {
    /// The product's prefix, such as `DL`.
    public let product: String
    /// The service's name, such as `firebase`.
    public let service: String

    /// Creates an identifier.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - service: The service's name, such as `firebase`.
    public init(product: String, service: String) {
        self.product = product
        self.service = service
    }
}

extension LaneID: CustomStringConvertible {
    public var description: String { "\(product)/\(service)" }
}

extension LaneID: Comparable {
    public static func < (left: LaneID, right: LaneID) -> Bool {
        (left.product, left.service) < (right.product, right.service)
    }
}

extension LaneID {
    /// Returns the lane of a product's Firebase events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    /// - Returns: The lane `<product>/firebase`.
    public static func firebase(product: String) -> LaneID {
        LaneID(product: product, service: "firebase")
    }

    /// Returns the lane of a product's AwesomeTracking events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    /// - Returns: The lane `<product>/awesomeTracking`.
    public static func awesomeTracking(product: String) -> LaneID {
        LaneID(product: product, service: "awesomeTracking")
    }

    /// Returns the lane of a product's Google Analytics events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    /// - Returns: The lane `<product>/googleAnalytics`.
    public static func googleAnalytics(product: String) -> LaneID {
        LaneID(product: product, service: "googleAnalytics")
    }
}

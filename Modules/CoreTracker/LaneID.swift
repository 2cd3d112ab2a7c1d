/// The name of one lane: a product's queue towards one service, such as `DL/firebase`.
///
/// A lane has its own order, retries, pauses and ledger, so that one dead service delays nothing for the others.
public struct LaneID: Sendable, Hashable {
    /// The product, by its prefix, such as `DL`.
    public let product: String
    /// The service, such as `firebase`.
    public let service: String

    /// Creates a name.
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

/// Stores events and delivers them durably, to each service on its own lane.
public final class DeliveryEngine: Sendable {
    /// The engine that a product tracker's default parameters use; it holds events until the app opens it.
    public static let shared = DeliveryEngine()

    /// Creates an engine that holds events until it is opened.
    public init() {}

    /// The entry of a lane.
    public func lane(_ id: LaneID) -> DeliveryLane {
        DeliveryLane(id: id, engine: self)
    }
}

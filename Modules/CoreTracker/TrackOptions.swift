/// How one event is treated on its way: how safely it is stored, and what gives way when the budget is used up.
public struct TrackOptions: Sendable, Hashable {
    /// What a stored event survives.
    public enum Durability: Int, Sendable, Hashable, CaseIterable {
        /// Stored with the next group, at the latest after one second; a killed process may lose that second.
        case relaxed = 0
        /// Stored at once or within 5 ms; survives a killed process, and a power loss after at most one second.
        case durable = 1
        /// Stored with a barrier: a receipt means that the event survives a power loss.
        case strict = 2
    }

    /// Which events go first when a budget is used up; it never changes the order of delivery.
    public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// Evicted first.
        case low = 0
        /// Evicted when nothing of low priority is left.
        case normal = 1
        /// Evicted last.
        case high = 2

        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// What the stored event survives.
    public var durability: Durability
    /// What gives way when a budget is used up.
    public var priority: Priority

    /// Creates options.
    @inlinable
    public init(durability: Durability = .durable, priority: Priority = .normal) {
        self.durability = durability
        self.priority = priority
    }

    /// For the few events that a product must not miss, such as an order: stored with a barrier, and evicted last.
    public static let critical = TrackOptions(durability: .strict, priority: .high)
}

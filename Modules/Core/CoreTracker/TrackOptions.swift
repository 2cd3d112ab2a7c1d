/// The durability and the priority of one event.
public struct TrackOptions: Sendable, Equatable {
    /// The failures that a stored event survives.
    public enum Durability: Int, Sendable, Hashable, CaseIterable {
        /// Stored with the next group, after at most one second.
        ///
        /// If the process is killed, that second may be lost.
        case relaxed = 0
        /// Stored within 5 ms.
        ///
        /// The event survives a killed process, and after at most one second a power loss.
        case durable = 1
        /// Stored with a barrier.
        ///
        /// A receipt means that the event survives a power loss.
        case strict = 2
    }

    /// The importance of events if the engine's buffer or its budget is full.
    ///
    /// Events of low priority fill up to three quarters of the buffer, events of normal priority up to seven eighths,
    /// and events of high priority all of it. It never changes the order of delivery.
    public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// Evicted first from the stored events.
        case low = 0
        /// Evicted if there are no events with low priority.
        case normal = 1
        /// Evicted last.
        case high = 2

        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// The durability of the stored event.
    public var durability: Durability
    /// The event's importance if the buffer or the budget is full.
    public var priority: Priority

    /// Creates options.
    ///
    /// - Parameters:
    ///   - durability: The durability of the stored event.
    ///   - priority: The event's importance if the buffer or the budget is full.
    @inlinable
    public init(durability: Durability = .durable, priority: Priority = .normal) {
        self.durability = durability
        self.priority = priority
    }

    /// The options for a product's few essential events, such as an order: stored with a barrier, evicted last.
    public static let critical = TrackOptions(durability: .strict, priority: .high)
}

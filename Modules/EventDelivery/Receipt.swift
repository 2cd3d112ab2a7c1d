/// What became of an event that the caller waited for.
public struct Receipt: Sendable, Hashable {
    /// What a receipt says.
    public enum Outcome: Sendable, Hashable {
        /// The event is stored, as safely as its durability says, and will be delivered or counted.
        case persisted
        /// The event is lost, and counted under the reason.
        case lost(DropReason)
    }

    /// How far an event must have come for its receipt.
    public enum Stage: Sendable, Hashable {
        /// Stored on this device.
        case persisted
    }

    /// The event's id, the one that its receiver gets.
    public let id: EventID
    /// What became of it.
    public let outcome: Outcome

    /// Creates a receipt.
    public init(id: EventID, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

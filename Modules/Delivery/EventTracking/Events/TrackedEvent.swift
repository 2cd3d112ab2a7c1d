public import CoreTracker

/// A reference to a tracked event, with which its status can be queried.
public struct TrackedEvent: Sendable, Equatable {
    /// The event's id, which its receiver gets too.
    public let id: EventID
    /// The lane on which the event was tracked.
    public let lane: LaneID
    /// The event's name, at most its first 256 bytes.
    public let name: String
    /// The time of the event.
    public let time: Timestamp
}

public import CoreTracker

/// Where an event is, and why.
public struct EventExplanation: Sendable, Hashable {
    /// The event's lane.
    public let lane: LaneID
    /// Where it is.
    public let fate: EventFate

    /// Creates an explanation.
    public init(lane: LaneID, fate: EventFate) {
        self.lane = lane
        self.fate = fate
    }
}

/// Where an event is on its way.
public enum EventFate: Sendable, Hashable {
    /// In memory, not stored yet.
    case buffered
    /// Stored, behind others of its lane.
    case queued
    /// Stored, and part of a batch that has been sent so often without an acknowledgement.
    case sending(attempts: Int)
    /// Stored apart until the user agrees or refuses.
    case awaitingConsent
    /// Refused by its receiver, and kept.
    case quarantined(reason: String)
    /// Acknowledged by its receiver.
    case delivered
    /// Lost.
    case dropped(DropReason)
}

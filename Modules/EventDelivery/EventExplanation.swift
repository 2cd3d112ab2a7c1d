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

/// What really lies in memory and in the outbox for a lane, counted from the rows, beside what the ledger say.
package struct StoredEvents: Sendable, Hashable {
    /// Buffered, deliverable and held events.
    package let pending: Int
    /// Quarantined events.
    package let quarantined: Int
    /// The lane's ledger at the same moment.
    package let ledger: LaneLedger
}

extension DeliveryEngine {
    /// Counts what is really there, lane by lane; reads every row, so it is for checks alone.
    package func storedEvents() async -> [LaneID: StoredEvents] {
        await storedEventsWhileRunning()
            ?? intake.ledgers.reduce(into: [:]) { result, lane in
                result[lane.id] = StoredEvents(pending: lane.unstored, quarantined: 0, ledger: lane.ledger)
            }
    }
}

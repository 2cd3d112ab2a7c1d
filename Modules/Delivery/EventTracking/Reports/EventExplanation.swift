public import CoreTracker

/// The lane and the status of an event.
public struct EventExplanation: Sendable, Equatable {
    /// The event's lane.
    public let lane: LaneID
    /// The event's status.
    public let status: EventStatus

    /// Creates an explanation.
    ///
    /// - Parameters:
    ///   - lane: The event's lane.
    ///   - status: The event's status.
    public init(lane: LaneID, status: EventStatus) {
        self.lane = lane
        self.status = status
    }
}

/// The status of an event.
public enum EventStatus: Sendable, Equatable {
    /// The event is in memory and not stored yet.
    case buffered
    /// The event is stored, behind other events of its lane.
    case queued
    /// The event is stored, and its batch has been sent this number of times without an acknowledgement.
    case sending(attempts: Int)
    /// The event is stored, and the app holds its lane for these reasons.
    case onHold(Set<HoldReason>)
    /// The event is kept until the user agrees or refuses.
    case awaitingConsent
    /// The receiver refused the event, and it is kept for inspection.
    case quarantined(reason: String)
    /// The receiver acknowledged the event.
    case delivered
    /// The event was dropped.
    case dropped(DropReason)
}

/// A count of the events in memory and in the outbox, from the rows, with the lane's ledger to compare.
package struct StoredEvents: Sendable, Equatable {
    /// The number of events that are buffered, deliverable or awaiting consent.
    package let pending: Int
    /// The number of quarantined events.
    package let quarantined: Int
    /// The lane's ledger at the same moment.
    package let ledger: LaneLedger

    package init(pending: Int, quarantined: Int, ledger: LaneLedger) {
        self.pending = pending
        self.quarantined = quarantined
        self.ledger = ledger
    }
}

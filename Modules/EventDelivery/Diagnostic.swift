public import CoreTracker

/// Something that an app may want to log: ids, counts and codes only, never a payload or a secret.
public enum Diagnostic: Sendable, Hashable {
    /// The outbox is open; events of an earlier run wait in it.
    case opened(pending: Int)
    /// The outbox cannot be used for now; events are kept in memory, up to its bound.
    case storageFailed(OutboxError)
    /// The outbox can be used again.
    case storageRecovered
    /// A damaged outbox was set aside, and its sound events were brought into a new one.
    case salvaged(events: Int)
    /// An outbox that this version cannot read was set aside whole.
    case setAside(OutboxError)
    /// The outbox of an ended process was taken over.
    case adopted(events: Int)
    /// The outbox of an ended process cannot be read for now; it stays as it is, and is tried again.
    case adoptionFailed(OutboxError)
    /// Events were lost.
    case dropped(lane: LaneID, reason: DropReason, count: Int)
    /// An event was refused by its receiver and is kept for inspection.
    case quarantined(lane: LaneID, id: EventID, reason: String)
    /// An attempt failed for a passing cause.
    case retrying(lane: LaneID, cause: String, wait: Duration)
    /// Sending is useless until the cause is gone; nothing is lost meanwhile.
    case paused(lane: LaneID, reason: PauseReason)
    /// A lane that had failed or paused delivers again.
    case recovered(lane: LaneID)
}

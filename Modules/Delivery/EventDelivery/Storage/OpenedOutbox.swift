import CoreTracker
import EventOutbox

/// The contents of an outbox when it is opened.
struct OpenedOutbox {
    /// All rows except the segments.
    var rows: OutboxRows
    /// Whether the outbox was created now.
    var isNew = false
    /// The number of missing events of each lane, if the outbox was damaged.
    var losses: [LaneID: Int]?
}

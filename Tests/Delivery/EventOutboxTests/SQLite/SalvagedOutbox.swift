import EventDeliveryTesting
import EventTracking

@testable import EventOutbox

/// The contents of a queue file, as found by a salvage.
struct SalvagedOutbox {
    let rows: OutboxRows
    private(set) var segments: [Segment] = []

    init(_ queue: TemporaryQueue, completedBy checkpoint: DurabilityCheckpoint? = nil) throws {
        let salvage = try SQLiteSalvage(path: queue.path)
        rows = try salvage.rows(completedBy: checkpoint)
        var found: [Segment] = []
        try salvage.forEachSegment { found.append($0) }
        segments = found
    }
}

import CoreTracker
package import EventTracking

/// All rows of an outbox except its segments.
package struct OutboxRows: Sendable {
    package var lanes: [StoredLane] = []
    package var quarantined: [QuarantinedEvent] = []
    /// The row of the state, or `nil` if it is damaged or missing.
    package var state: StateRow? = StateRow()
    /// Whether segments below the start of their lanes are in the file.
    package var hasLeftovers = false

    package init() {}

    /// The change that writes all rows into an empty outbox.
    ///
    /// A lost row of the state stays lost.
    package var change: OutboxChange {
        var change = OutboxChange()
        for lane in lanes { change.save(lane) }
        let numbers = lanes.keyed { ($0.id, $0.number) }
        for event in quarantined { if let lane = numbers[event.lane] { change.save(event, lane: lane) } }
        if let state { change.save(state) } else { change.removeState() }
        return change
    }

    /// Whether there are no rows.
    package var isEmpty: Bool { lanes.isEmpty && quarantined.isEmpty && state == nil }
}

extension OutboxRows {
    /// Reads all rows of an outbox except its segments.
    ///
    /// - Parameters:
    ///   - outbox: The outbox.
    ///   - checkpoint: The file's durability checkpoint, which completes its lanes.
    /// - Throws: `OutboxError.corrupt` if a segment belongs to no lane, or the storage error.
    package init(of outbox: SQLiteOutbox, completedBy checkpoint: DurabilityCheckpoint?) throws(OutboxError) {
        lanes = StoredLane.merging(try outbox.lanes(), with: checkpoint)
        // Events of a lane without a row must not be assigned to another lane.
        guard try outbox.holdsNothing(but: Set(lanes.map(\.number))) else { throw .corrupt }
        for index in lanes.indices {
            // If the lane's row is older than the segments, no sequence number must be assigned twice.
            if let last = try outbox.lastSummary(lane: lanes[index].number) {
                let next = last.place.number + Int64(max(1, last.count))
                lanes[index].nextNumber = max(lanes[index].nextNumber, next)
            }
            let (number, start) = (lanes[index].number, lanes[index].start)
            let first = try outbox.summaries(lane: number, after: nil, limit: 1).first
            hasLeftovers = hasLeftovers || first.map { $0.place.number < start } ?? false
        }
        use(try outbox.state(), try outbox.quarantined(), checkpoint)
    }

    /// Uses the row of the state, and the quarantined events of the lanes.
    mutating func use(_ state: StateRow?, _ quarantined: [QuarantineRow], _ checkpoint: DurabilityCheckpoint?) {
        let names = lanes.keyed { ($0.number, $0.id) }
        self.quarantined = quarantined.filter { names[$0.lane] == $0.event.lane }.map(\.event)
        // A file that is older than its checkpoint lacks the last decisions.
        self.state = checkpoint.map { $0.number > state?.number ?? 0 } == true ? nil : state
    }
}

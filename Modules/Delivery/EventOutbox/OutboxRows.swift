package import EventDeliveryAPI

/// All rows of an outbox except its segments.
package struct OutboxRows: Sendable {
    package var lanes: [StoredLane] = []
    package var batches: [StoredBatch] = []
    package var quarantined: [QuarantinedEvent] = []
    package var privacy = PrivacyRows()

    package init() {}

    /// The change that writes all rows into an empty outbox.
    package var change: OutboxChange {
        var change = OutboxChange()
        for lane in lanes { change.save(lane) }
        for batch in batches where !batch.segments.isEmpty { change.save(batch) }
        for event in quarantined { change.save(event) }
        for erasure in privacy.erasures { change.save(erasure) }
        for decision in privacy.decisions { change.save(decision) }
        change.save(privacy.state)
        return change
    }

    /// Whether there are no rows.
    package var isEmpty: Bool { lanes.isEmpty && quarantined.isEmpty && privacy.isEmpty }

    /// Whether an event exists: no denial and no pending erasure covers it.
    ///
    /// - Parameters:
    ///   - lane: The event's lane.
    ///   - user: The hash of its user.
    ///   - decision: Its decision number.
    package func exists(on lane: StoredLane, _ user: UserHash?, _ decision: UInt64) -> Bool {
        decision >= lane.void && !privacy.isErased(user, decision)
    }

    /// The greatest decision number of all rows.
    var number: UInt64 {
        (lanes.map(\.void) + quarantined.map(\.decision)).reduce(privacy.number) { max($0, $1) }
    }
}

extension OutboxRows {
    /// Reads all rows of an outbox except its segments.
    ///
    /// - Parameters:
    ///   - outbox: The outbox.
    ///   - checkpoint: The file's durability checkpoint, which completes its lanes.
    /// - Throws: `OutboxError.corrupt` if a segment belongs to no lane, or the storage error.
    package init(of outbox: SQLiteOutbox, completedBy checkpoint: DurabilityCheckpoint?) throws(OutboxError) {
        privacy = try outbox.privacy()
        lanes = StoredLane.merging(try outbox.lanes(), with: checkpoint)
        // Events of a lane without a row must not be assigned to another lane.
        guard try outbox.holdsNothing(but: Set(lanes.map(\.number))) else { throw .corrupt }
        quarantined = try outbox.quarantined()
        if privacy.isStateLost { privacy.state.number = max(number, try outbox.greatestDecision()) }
        let known = Dictionary(grouping: try outbox.batches(), by: \.lane)
        for index in lanes.indices {
            // If the lane's row is older than the segments, no sequence number must be assigned twice.
            if let last = try outbox.lastSummary(lane: lanes[index].number) {
                let next = last.place.number + Int64(max(1, last.count))
                lanes[index].nextNumber = max(lanes[index].nextNumber, next)
            }
            batches += known[lanes[index].number, default: []]
        }
        privacy.compare(with: checkpoint)
    }
}

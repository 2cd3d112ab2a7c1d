package import CoreTracker
package import EventBuffer

/// An opened queue file with the state of its lanes.
///
/// Its segments are not read.
package struct StoredQueue {
    /// A lane in the file.
    package struct Lane {
        package let stored: StoredLane
        package let usage: LaneUsage
        package let batches: [StoredBatch]
    }

    package let outbox: SQLiteOutbox
    package let lanes: [Lane]
    /// The number of quarantined events of each lane.
    package let quarantined: [LaneID: Int]
    /// The denials and erasures that have been applied to it, or `nil` if that record is lost.
    package let clearance: Clearance?

    /// Opens the queue file of a directory whose lock this process holds.
    ///
    /// Opening may need disk space, for which the file has a reserve.
    ///
    /// - Parameter directory: The locked directory.
    /// - Throws: `OutboxError.corrupt` if the file is damaged, `foreign` if it is not a regular file of this user, or
    ///   the storage error.
    package init(in directory: OutboxDirectory) throws(OutboxError) {
        if let trait = FileStatus(at: directory.queue)?.foreignTraitOfFile { throw .foreign(trait) }
        try directory.moveStraysAside()
        do throws(OutboxError) {
            try self.init(path: directory.queue)
        } catch .full {
            guard directory.reserve.release() else { throw .full }
            try self.init(path: directory.queue)
        }
    }

    private init(path: String) throws(OutboxError) {
        let outbox = try SQLiteOutbox(path: path)
        do throws(OutboxError) {
            lanes = try StoredQueue.lanes(of: outbox, mark: DurabilityCheckpoint(queue: path))
            // Events of a lane without a row must not be assigned to another lane.
            guard try outbox.holdsNothing(but: Set(lanes.map(\.stored.number))) else { throw .corrupt }
            let refused = try outbox.quarantined(lane: nil, limit: .max)
            quarantined = Dictionary(refused.map { ($0.lane, 1) }, uniquingKeysWith: +)
            clearance = Clearance(try outbox.notes())
        } catch {
            outbox.close()
            throw error
        }
        self.outbox = outbox
    }

    /// Whether the file contains a lane.
    package func knows(_ lane: StoredLane) -> Bool {
        lanes.contains { $0.stored.id == lane.id }
    }

    private static func lanes(of outbox: SQLiteOutbox, mark: DurabilityCheckpoint?) throws(OutboxError) -> [Lane] {
        var lanes: [Lane] = []
        for stored in StoredLane.merging(try outbox.lanes(), with: mark) {
            var stored = stored
            // If the ledger is older than the rows, it must not assign a number twice.
            if let last = try outbox.lastSummary(lane: stored.number) {
                stored.nextNumber = max(stored.nextNumber, last.place.number + Int64(max(1, last.count)))
            }
            lanes.append(
                Lane(
                    stored: stored,
                    usage: try outbox.usage(lane: stored.number),
                    batches: try outbox.batches(lane: stored.number)
                )
            )
        }
        return lanes
    }
}

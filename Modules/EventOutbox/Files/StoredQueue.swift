package import CoreTracker
package import EventBuffer

/// The outbox file of a directory with what it holds, as it was found; its segments are not read.
package struct StoredQueue {
    /// A lane of the file.
    package struct Lane {
        package let stored: StoredLane
        package let usage: LaneUsage
        package let batches: [StoredBatch]
    }

    package let outbox: SQLiteOutbox
    package let lanes: [Lane]
    /// How many events of each lane are quarantined.
    package let quarantined: [LaneID: Int]
    /// Which denials and erasures have been applied to it; `nil` if that is lost.
    package let clearance: Clearance?

    /// Opens the file of a directory whose lock this process holds.
    ///
    /// Opening may need disk space, and the file has its reserve.
    package init(in directory: OutboxDirectory) throws(OutboxError) {
        if let trait = FileStatus(at: directory.queue)?.foreignTraitOfFile { throw .foreign(trait) }
        try directory.moveStraysAside()
        do throws(OutboxError) {
            try self.init(path: directory.queue)
        } catch .full {
            guard directory.ballast.release() else { throw .full }
            try self.init(path: directory.queue)
        }
    }

    private init(path: String) throws(OutboxError) {
        let outbox = try SQLiteOutbox(path: path)
        do throws(OutboxError) {
            lanes = try StoredQueue.lanes(of: outbox, mark: HighWaterMark(queue: path))
            // Events of a lane that has no row must never be taken for those of another one.
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

    /// Whether a lane was found in the file.
    package func knows(_ lane: StoredLane) -> Bool {
        lanes.contains { $0.stored.id == lane.id }
    }

    private static func lanes(of outbox: SQLiteOutbox, mark: HighWaterMark?) throws(OutboxError) -> [Lane] {
        var lanes: [Lane] = []
        for stored in StoredLane.merging(try outbox.lanes(), with: mark) {
            var stored = stored
            // A ledger that is older than the rows must not give a number twice.
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

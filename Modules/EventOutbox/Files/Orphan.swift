/// An outbox file whose owner lock has just been taken, as it was found.
package struct Orphan {
    /// A lane of the file.
    package struct Lane {
        package let stored: StoredLane
        package let usage: LaneUsage
        package let batches: [StoredBatch]
    }

    package let file: OutboxFile
    package let outbox: SQLiteOutbox
    package let lanes: [Lane]
    /// The names of the files whose contents it has taken over.
    package let adoptions: Set<String>

    /// Opens a file and reads what there is of lanes; its packs are not read.
    package init(path: String, directory: OutboxDirectory) throws(OutboxError) {
        let outbox = try Orphan.open(path)
        do throws(OutboxError) {
            lanes = try Orphan.lanes(of: outbox, mark: HighWaterMark(queue: path))
            adoptions = try outbox.adoptions()
        } catch {
            outbox.close()
            throw error
        }
        self.outbox = outbox
        file = OutboxFile(directory: directory, path: path)
    }

    /// The file's name.
    package var name: String { OutboxDirectory.name(of: file.path) }

    /// Whether a lane was found in the file.
    package func knows(_ lane: StoredLane) -> Bool {
        lanes.contains { $0.stored.id == lane.id }
    }

    /// Opens the outbox; a file of an older version needs room to become one of this version, and has its reserve.
    private static func open(_ path: String) throws(OutboxError) -> SQLiteOutbox {
        do throws(OutboxError) {
            return try SQLiteOutbox(path: path)
        } catch .full {
            guard Ballast(queue: path).release() else { throw .full }
            return try SQLiteOutbox(path: path)
        }
    }

    private static func lanes(of outbox: SQLiteOutbox, mark: HighWaterMark?) throws(OutboxError) -> [Lane] {
        var lanes: [Lane] = []
        for stored in StoredLane.merging(try outbox.lanes(), with: mark) {
            var stored = stored
            // Books that are older than the rows must not give a number twice.
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

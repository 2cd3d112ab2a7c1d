package import CoreTracker
package import EventBuffer

/// The queues of a directory, opened one after another when asked for, however many there are.
///
/// Whoever scans decides how many are open at once; what cannot be opened does not count.
package struct QueueScan {
    /// What a queue turned out to be.
    package enum Found {
        /// Nobody was at work on it, and its owner lock has been taken.
        case orphan(Orphan)
        /// Another process, or another engine of this one, is at work on it.
        case owned(path: String)
        /// A newer version has written it; it stays whole for the version that can read it.
        case newer(path: String, version: Int)
        /// It is not this user's own, and was not opened.
        case foreign(path: String, trait: OutboxError.ForeignTrait)
        /// It is damaged, or cannot be read for now.
        case failed(path: String, error: OutboxError)
    }

    private let directory: OutboxDirectory
    private var paths: ArraySlice<String>

    /// Lists the queues of a directory, oldest name first; opens none.
    package init(_ directory: OutboxDirectory) throws(OutboxError) {
        self.directory = directory
        paths = try directory.queuePaths()[...]
    }

    /// How many have not been looked at yet.
    package var remaining: Int { paths.count }

    /// Opens the next queue; `nil` at the end.
    package mutating func next() -> Found? {
        guard let path = paths.popFirst() else { return nil }
        do throws(OutboxError) {
            if let trait = FileStatus(at: path)?.foreignTraitOfFile { throw .foreign(trait) }
            try directory.clearStrays(of: path)
            return .orphan(try directory.openOrphan(path))
        } catch {
            switch error {
            case .busy: return .owned(path: path)
            case .newerVersion(let version): return .newer(path: path, version: version)
            case .foreign(let trait): return .foreign(path: path, trait: trait)
            default: return .failed(path: path, error: error)
            }
        }
    }
}

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
    /// How many events of each lane are quarantined.
    package let quarantined: [LaneID: Int]
    /// The names of the files whose contents it has taken over.
    package let adoptions: Set<String>
    /// How far it is cleared; `nil` where an earlier version has written it.
    package let clearance: Clearance?

    /// Opens a file and reads what there is of lanes; its packs are not read.
    package init(path: String, directory: OutboxDirectory) throws(OutboxError) {
        let outbox = try Orphan.open(path)
        do throws(OutboxError) {
            lanes = try Orphan.lanes(of: outbox, mark: HighWaterMark(queue: path))
            // Events of a lane that has no row must never be taken for those of another one.
            guard try outbox.holdsNothing(but: Set(lanes.map(\.stored.number))) else { throw .corrupt }
            let refused = try outbox.quarantined(lane: nil, limit: .max)
            quarantined = Dictionary(refused.map { ($0.lane, 1) }, uniquingKeysWith: +)
            let notes = try outbox.notes()
            adoptions = SQLiteOutbox.adoptions(in: notes)
            clearance = Clearance(notes)
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

/// The outbox in one SQLite file: WAL, one connection, an exclusive lock as owner lock.
///
/// A commit costs about 10 µs plus some 2 µs for each pack; a barrier costs one fsync. There is no check of the whole
/// file at opening, whose time would grow with the file: SQLite's own check finds less than the checksums do, which
/// every row carries and which are verified whenever a row is read; damage to the file's structure shows as an error of
/// the read that meets it; and the running counts show what has disappeared without one.
package final class SQLiteOutbox: Outbox {
    /// What is written between two checkpoints: the WAL grows little beyond the bytes.
    private static let checkpointInterval = (commits: 256, bytes: 64_000_000)
    /// The largest WAL that is kept while there is nothing to do.
    ///
    /// In a flood it keeps its size: writing where a file has room already is cheaper than having it grow anew.
    private static let restingLogBytes = 1_000_000

    let connection: SQLiteConnection
    let path: String
    /// What the lanes store, as far as it has been asked for or changed.
    var usages: [Int: LaneUsage] = [:]
    private let logInode: UInt64?
    /// Commits and bytes of packs since the last checkpoint.
    private var commits = 0
    private var written = 0
    private var barriers = 0
    /// The sync of a checkpoint that has failed: what it should have written may be lost, and no later sync tells.
    private var failedSync: OutboxError?

    /// Opens the file at a path, which must exist and not be owned by another connection.
    package init(path: String, steps: [String] = SQLiteSchema.steps) throws(OutboxError) {
        self.path = path
        let connection = try SQLiteConnection(path: path)
        do throws(OutboxError) {
            try SQLiteSchema.prepare(connection, steps: steps)
            // Whoever had the lock before may have taken the contents over and unlinked the file meanwhile.
            guard !connection.hasMoved else { throw .busy }
        } catch {
            connection.close()
            throw error
        }
        self.connection = connection
        logInode = OutboxDirectory.inodeNumber(path + "-wal")
    }

    package func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        if let failedSync { throw failedSync }
        do throws(OutboxError) {
            try write(change, barrier: barrier)
        } catch .full {
            // What the WAL holds may fit into the file, and then the WAL's own space is free for this change.
            try checkpoint()
            try write(change, barrier: barrier)
        }
        commits += 1
        written += change.inserted.reduce(0) { $0 + $1.records.count }
        // The change is stored; what a checkpoint meets shows in the next commit.
        if commits >= Self.checkpointInterval.commits || written >= Self.checkpointInterval.bytes { try? checkpoint() }
    }

    private func write(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        if barrier { try connection.execute("PRAGMA synchronous = FULL") }
        defer { if barrier { try? connection.execute("PRAGMA synchronous = NORMAL") } }
        let before = usages
        do throws(OutboxError) {
            try connection.transaction { () throws(OutboxError) in
                try apply(change)
                // A commit without a change writes nothing, and so would not be a barrier.
                if barrier { try note("barrier", "\(barriers)") }
            }
        } catch {
            usages = before
            throw error
        }
        if barrier {
            barriers += 1
            DriveCache.flush(by: path + "-wal")
        }
    }

    package func maintain() throws(OutboxError) {
        try connection.execute("PRAGMA incremental_vacuum(256)")
        let isLarge = OutboxDirectory.size(path + "-wal") > SQLiteOutbox.restingLogBytes
        try checkpoint(isLarge ? "TRUNCATE" : "PASSIVE")
    }

    package var isPresent: Bool {
        !connection.hasMoved && (logInode == nil || OutboxDirectory.inodeNumber(path + "-wal") == logInode)
    }

    package func close() {
        try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    }

    /// Deletes the file, unless the path leads elsewhere by now, and only then gives up its lock.
    package func discard() {
        if !connection.hasMoved { OutboxDirectory.remove(path) }
        connection.keepsFileOnClose = true
        connection.close()
    }

    /// Moves what the WAL holds into the file, so that the WAL starts over and grows no more; `TRUNCATE` cuts it too.
    func checkpoint(_ mode: String = "PASSIVE") throws(OutboxError) {
        (commits, written) = (0, 0)
        try settle("PRAGMA wal_checkpoint(\(mode))")
    }

    /// Runs a checkpoint; answers whether it came to its end, and remembers a sync that fails.
    @discardableResult
    private func settle(_ pragma: String) throws(OutboxError) -> Bool {
        do throws(OutboxError) {
            return try connection.integer(pragma) == 0
        } catch {
            if error.isFailedSync { failedSync = error }
            throw error
        }
    }

    package func purge(_ lanes: [StoredLane]) throws(OutboxError) {
        try connection.execute("PRAGMA secure_delete = ON")
        defer { try? connection.execute("PRAGMA secure_delete = FAST") }
        try connection.transaction { () throws(OutboxError) in
            for lane in lanes { try erase(lane) }
        }
        for lane in lanes { usages[lane.number] = nil }
        // The freed pages have been overwritten in the WAL; now they are in the file too, and the WAL is empty. The
        // vacuum takes away the pages that were freed earlier, whose bytes nobody has overwritten.
        for _ in 1...2 {
            guard try settle("PRAGMA wal_checkpoint(TRUNCATE)") else { throw .busy }
            try connection.execute("PRAGMA incremental_vacuum")
        }
        guard try settle("PRAGMA wal_checkpoint(TRUNCATE)") else { throw .busy }
    }
}

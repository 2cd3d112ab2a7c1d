import CoreTracker
package import EventTracking

/// The storage for events on this device: segments, lanes with their batches, quarantine and decisions, in one SQLite
/// database.
///
/// The database is a file with a WAL, one connection and an exclusive lock, or it is in memory. A commit costs about
/// 10 µs plus about 2 µs for each segment. A barrier costs one `fsync`.
///
/// A change survives a killed process when `commit` returns. With a barrier, it and all earlier changes survive a power
/// loss. A commit is atomic: an error leaves everything as it was before the call, and never deletes anything.
///
/// The whole file is not checked at opening, because this would take longer for larger files. Every row has a checksum,
/// which is checked when the row is read and finds more than SQLite's own check. A damaged row is not an error: a
/// damaged segment has a count greater than the number of its records, a damaged lane has ``StoredLane/isDamaged`` set,
/// and any other damaged row is left out. Damage to the file's structure causes an error in the read that meets it.
///
/// It is used from one executor only, and blocks it during I/O.
package final class SQLiteOutbox {
    /// The number of pages written to the WAL between two checkpoints.
    ///
    /// The WAL grows by at most one commit beyond these pages, even if checkpoints fail. A full disk must have space
    /// for the WAL's contents in the file before it can be emptied, and a checkpoint is in a turn of the store.
    private static let checkpointPages = 1_000
    /// The maximum size of the WAL while the outbox is idle.
    ///
    /// Under load the WAL keeps its size, because writing to allocated space is cheaper than growing the file.
    private static let restingLogBytes = 1_000_000

    let connection: SQLiteConnection
    /// The tables of segments.
    var segments = SegmentTables()
    /// The stage of the rewrite of the file, or `nil` if there is none.
    var rewrite: Rewrite?
    /// The path of the file, or `nil` for a database in memory.
    let path: String?
    private let logInode: UInt64?
    /// The failed sync of a checkpoint.
    ///
    /// Its data may be lost, and no later sync reports that.
    private var failedSync: OutboxError?

    /// Opens an existing file that no other connection has open.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - pageSize: The size of the pages of an empty file in bytes.
    /// - Throws: `OutboxError.busy` if another connection has the file open, `corrupt` if it is damaged, or the storage
    ///   error.
    package init(path: String, pageSize: Int = 4_096) throws(OutboxError) {
        let connection = try SQLiteConnection(path: path)
        do throws(OutboxError) {
            try SQLiteSchema.prepare(connection, pageSize: pageSize)
            // If a process was killed while it rewrote the file, both tables have rows.
            var tables = SegmentTables()
            tables.open(
                hasFirst: try connection.integer("SELECT EXISTS (SELECT 1 FROM segment)") != 0,
                hasSecond: try connection.integer("SELECT EXISTS (SELECT 1 FROM moved)") != 0
            )
            segments = tables
            // The previous owner of the lock may have replaced the file.
            guard !connection.hasMoved else { throw .busy }
        } catch {
            connection.close()
            throw error
        }
        self.path = path
        self.connection = connection
        logInode = FileStatus.inode(at: path + "-wal")
        // A failed sync of a killed process may have left pages of the log that only the system's cache has. They are
        // written to the file, so later commits do not depend on them. After an error, the log is still complete.
        if FileStatus.size(at: path + "-wal") > 0 { try? checkpoint() }
    }

    /// Creates an empty database in memory.
    ///
    /// - Throws: The storage error if there is no memory.
    package init() throws(OutboxError) {
        connection = try SQLiteConnection()
        try connection.execute("PRAGMA temp_store = MEMORY")
        try SQLiteSchema.create(on: connection)
        (path, logInode) = (nil, nil)
    }

    /// Whether the outbox is a file.
    package var isFile: Bool { path != nil }

    /// Applies a change in one transaction.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - barrier: Whether this and all earlier changes must survive a power loss.
    /// - Throws: The storage error. Nothing is changed then.
    package func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        if let failedSync { throw failedSync }
        guard !change.isEmpty else {
            if barrier { try sync() }
            return
        }
        do throws(OutboxError) {
            // A decision does not depend on a checkpoint. The number of decisions is bounded.
            if isCheckpointDue, !change.decides { try checkpoint() }
            try write(change, barrier: barrier)
        } catch .full {
            // The WAL's contents may fit into the file. The WAL's space is then free for this change.
            try checkpoint()
            try write(change, barrier: barrier)
        }
        // The change is stored. An error of the checkpoint is reported by the next commit.
        if isCheckpointDue { try? checkpoint() }
    }

    private var isCheckpointDue: Bool { connection.writtenPages() >= SQLiteOutbox.checkpointPages }

    private func write(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        if barrier { try connection.execute("PRAGMA synchronous = FULL") }
        defer { if barrier { try? connection.execute("PRAGMA synchronous = NORMAL") } }
        try connection.transaction { () throws(OutboxError) in
            try apply(change)
            // A commit that changes no row writes nothing, so it would not be a barrier.
            if barrier { try connection.statement("UPDATE state SET barriers = barriers + 1").run() }
        }
        if barrier { flushDrive() }
    }

    /// Makes all earlier changes survive a power loss, without writing anything.
    private func sync() throws(OutboxError) {
        guard path != nil else { return }
        try connection.syncLog()
        flushDrive()
    }

    private func flushDrive() {
        if let path { DriveCache.flush(by: path + "-wal") }
    }

    /// Writes a commit after one whose sync has failed.
    ///
    /// The failed commit is still in the log, and would exist after the file is opened again. Another commit overwrites
    /// it, even if its own sync fails.
    package func overwriteFailedCommit() {
        try? write(OutboxChange(), barrier: true)
    }

    /// Does maintenance, which can wait until the writer is idle.
    ///
    /// A small WAL stays as it is: a page that several commits change is then written to the file only once.
    ///
    /// - Throws: The storage error.
    package func maintain() throws(OutboxError) {
        guard let path, FileStatus.size(at: path + "-wal") > SQLiteOutbox.restingLogBytes else { return }
        try connection.execute("PRAGMA incremental_vacuum(256)")
        try checkpoint("TRUNCATE")
    }

    /// Moves the contents of the WAL into the file, and empties the WAL.
    ///
    /// - Throws: The storage error.
    package func emptyLog() throws(OutboxError) {
        try checkpoint("TRUNCATE")
    }

    /// Whether the next process would find the stored events.
    ///
    /// It is `false` after the file was deleted or replaced.
    package var isPresent: Bool {
        guard let path else { return true }
        return !connection.hasMoved && (logInode == nil || FileStatus.inode(at: path + "-wal") == logInode)
    }

    /// Writes all changes and closes the outbox.
    ///
    /// No other call may follow.
    package func close() {
        if path != nil { try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        connection.close()
    }

    /// Deletes the file, unless it was moved or replaced.
    ///
    /// The connection and its lock are closed after that.
    package func discard() {
        if let path, !connection.hasMoved { OwnFile.remove(queue: path) }
        connection.keepsFileOnClose = true
        connection.close()
    }

    /// Moves the WAL's contents into the file, so the WAL is reused and stops growing.
    func checkpoint(_ mode: String = "PASSIVE") throws(OutboxError) {
        do throws(OutboxError) {
            if try connection.integer("PRAGMA wal_checkpoint(\(mode))") != 0 { throw .busy }
        } catch {
            if error.isFailedSync { failedSync = error }
            throw error
        }
        connection.writtenPages(startingOver: true)
    }
}

extension SQLiteOutbox {
    private func apply(_ change: OutboxChange) throws(OutboxError) {
        let (current, other) = (segments.current, segments.isSplit ? segments.other : nil)
        for (place, segment) in change.segments.sorted(by: \.key) {
            if let segment { try insert(segment) } else { try delete(place, from: current) }
            // While rows are moved, the segment may be in the other table.
            if let other { try delete(place, from: other) }
        }
        for lane in change.emptied.sorted(by: \.self) { try connection.delete(lane: lane, from: .quarantine) }
        for (key, row) in change.rows.sorted(by: \.key) {
            if let row { try connection.save(row) } else { try connection.delete(key.key, from: key.table) }
        }
    }

    private func delete(_ place: SegmentPlace, from table: SQLiteTable) throws(OutboxError) {
        try connection.statement("DELETE FROM \(table.name) WHERE place = ?").run(.integer(place.rawValue))
    }

    private func insert(_ segment: Segment) throws(OutboxError) {
        try connection.statement(segments.current.insert).run(
            .integer(segment.place.rawValue),
            .integer(Int64(clamping: segment.decision)),
            .integer(Int64(segment.priority.rawValue)),
            .integer(Int64(segment.count)),
            .integer(Int64(segment.records.count)),
            .integer(segment.stored.wall.microseconds),
            .integer(segment.stored.monotonic.nanoseconds),
            .integer(Int64(segment.stored.boot)),
            .integer(segment.user.column),
            .text(segment.key),
            .integer(Int64(segment.summary.checksum)),
            .blob(segment.records)
        )
    }
}

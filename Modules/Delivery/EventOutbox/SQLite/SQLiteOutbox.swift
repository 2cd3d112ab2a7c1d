import CoreTracker
package import EventBuffer

/// An outbox in one SQLite file, with a WAL, one connection and an exclusive lock.
///
/// A commit costs about 10 µs plus about 2 µs per segment. A barrier costs one `fsync`.
///
/// The whole file is not checked at opening, because this would take longer for larger files. Every row has a checksum,
/// which is checked when the row is read and finds more than SQLite's own check. Damage to the file's structure causes
/// an error in the read that meets it. The running counts reveal rows that disappeared without an error.
package final class SQLiteOutbox: Outbox {
    /// The number of commits and bytes between two checkpoints.
    ///
    /// The WAL grows little beyond these bytes.
    private static let checkpointInterval = (commits: 256, bytes: 64_000_000)
    /// The maximum size of the WAL while the outbox is idle.
    ///
    /// Under load the WAL keeps its size, because writing to allocated space is cheaper than growing the file.
    private static let restingLogBytes = 1_000_000

    let connection: SQLiteConnection
    package let path: String
    /// The cached running counts of lanes.
    var usages: [Int: LaneUsage] = [:]
    private let logInode: UInt64?
    /// The numbers of commits and segment bytes since the last checkpoint.
    private var commits = 0
    private var written = 0
    /// The file's change stamps, which reveal whether another process has changed the file.
    ///
    /// The stamp changes with each barrier, and with the first commit of each process. After a failed commit there are
    /// two stamps, because it is unknown whether the commit reached the file.
    package private(set) var stamps: Set<Int>
    private var hasStamped = false
    /// The failed sync of a checkpoint.
    ///
    /// Its data may be lost, and no later sync reports that.
    private var failedSync: OutboxError?

    /// Opens an existing file that no other connection has open.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - steps: The schema's steps, for tests.
    /// - Throws: `OutboxError.busy` if another connection has the file open, `corrupt` if it is damaged, or the storage
    ///   error.
    package init(path: String, steps: [String] = SQLiteSchema.steps) throws(OutboxError) {
        self.path = path
        let connection = try SQLiteConnection(path: path)
        do throws(OutboxError) {
            try SQLiteSchema.prepare(connection, steps: steps)
            // The previous owner of the lock may have replaced the file.
            guard !connection.hasMoved else { throw .busy }
            stamps = [try SQLiteOutbox.stamp(of: connection)]
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
            // The WAL's contents may fit into the file. The WAL's space is then free for this change.
            try checkpoint()
            try write(change, barrier: barrier)
        }
        commits += 1
        written += change.inserted.reduce(0) { $0 + $1.records.count }
        // The change is stored. An error of the checkpoint is reported by the next commit.
        if commits >= Self.checkpointInterval.commits || written >= Self.checkpointInterval.bytes { try? checkpoint() }
    }

    private func write(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        if barrier { try connection.execute("PRAGMA synchronous = FULL") }
        defer { if barrier { try? connection.execute("PRAGMA synchronous = NORMAL") } }
        let before = usages
        let stamp = barrier || !hasStamped ? Int(try connection.integer("SELECT random()")) : nil
        do throws(OutboxError) {
            try connection.transaction { () throws(OutboxError) in
                try apply(change)
                // An empty commit writes nothing, so it would not be a barrier.
                if let stamp { try note("barrier", "\(stamp)") }
            }
        } catch {
            usages = before
            if let stamp { stamps.insert(stamp) }
            throw error
        }
        if let stamp { (stamps, hasStamped) = ([stamp], true) }
        if barrier {
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

    /// Deletes the file, unless it was moved or replaced.
    ///
    /// The connection and its lock are closed after that.
    package func discard() {
        if !connection.hasMoved { OutboxDirectory.remove(path) }
        connection.keepsFileOnClose = true
        connection.close()
    }

    /// Moves the WAL's contents into the file, so the WAL is reused and stops growing.
    ///
    /// `TRUNCATE` also shortens it.
    func checkpoint(_ mode: String = "PASSIVE") throws(OutboxError) {
        (commits, written) = (0, 0)
        try settle("PRAGMA wal_checkpoint(\(mode))")
    }

    /// Runs a checkpoint, and remembers a failed sync.
    ///
    /// Returns whether the checkpoint was completed.
    @discardableResult
    private func settle(_ pragma: String) throws(OutboxError) -> Bool {
        try noticingFailedSync { () throws(OutboxError) in try connection.integer(pragma) == 0 }
    }

    private func noticingFailedSync<Result>(
        _ body: () throws(OutboxError) -> Result
    ) throws(OutboxError) -> Result {
        do throws(OutboxError) {
            return try body()
        } catch {
            if error.isFailedSync { failedSync = error }
            throw error
        }
    }

    package func erase(_ lanes: [StoredLane], with change: OutboxChange) throws(OutboxError) {
        try connection.execute("PRAGMA secure_delete = ON")
        defer { try? connection.execute("PRAGMA secure_delete = FAST") }
        let before = usages
        do throws(OutboxError) {
            try connection.transaction { () throws(OutboxError) in
                try apply(change)
                for lane in lanes { try erase(lane) }
            }
        } catch {
            usages = before
            throw error
        }
        for lane in lanes { usages[lane.number] = nil }
    }

    package func scrub() throws(OutboxError) {
        try connection.execute("PRAGMA secure_delete = ON")
        defer { try? connection.execute("PRAGMA secure_delete = FAST") }
        // The freed pages were overwritten in the WAL. Now they are also overwritten in the file, and the WAL is empty.
        guard try settle("PRAGMA wal_checkpoint(TRUNCATE)") else { throw .busy }
        // A used page may contain bytes of rows that SQLite has moved to other pages. These bytes are not overwritten.
        do throws(OutboxError) {
            try noticingFailedSync { () throws(OutboxError) in try connection.vacuum() }
        } catch .full {
            // If there is no space to rewrite the file, at least the freed pages are removed.
            try connection.execute("PRAGMA incremental_vacuum")
            guard try settle("PRAGMA wal_checkpoint(TRUNCATE)") else { throw .busy }
            try connection.execute("PRAGMA incremental_vacuum")
        }
        guard try settle("PRAGMA wal_checkpoint(TRUNCATE)") else { throw .busy }
    }
}

extension SQLiteOutbox {
    func apply(_ change: OutboxChange) throws(OutboxError) {
        var usage = UsageChange(of: self)
        for place in change.removed { try remove(place, from: .segment, &usage) }
        for place in change.removedHeld { try remove(place, from: .held, &usage) }
        for lane in change.grantedLanes { try grant(lane, &usage) }
        for segment in change.inserted { try insert(segment, into: .segment, &usage) }
        for segment in change.insertedHeld { try insert(segment, into: .held, &usage) }
        for id in change.removedBatches {
            try connection.statement("DELETE FROM batch WHERE id = ?").run(.blob(id.bytes))
        }
        for batch in change.savedBatches { try save(batch) }
        for id in change.removedQuarantined {
            try connection.statement("DELETE FROM quarantine WHERE id = ?").run(.blob(id.bytes))
        }
        for event in change.insertedQuarantined { try insert(event) }
        for lane in change.lanes { try save(lane) }
        if let clearance = change.clearance {
            for (key, value) in clearance.notes { try note(key, value) }
        }
        try usage.save()
    }

    private static func stamp(of connection: SQLiteConnection) throws(OutboxError) -> Int {
        let statement = try connection.statement(
            "SELECT value FROM meta WHERE key = 'barrier'",
            readsTexts: true
        )
        defer { statement.reset() }
        return try statement.step() ? statement.text(0).flatMap { Int($0) } ?? 0 : 0
    }

    /// Writes an entry of the table `meta`.
    func note(_ key: String, _ value: String) throws(OutboxError) {
        try connection.statement(SQLiteTable.meta.replace).run(.text(key), .text(value))
    }

    /// Deletes all stored events of a lane, and stores its row.
    func erase(_ lane: StoredLane) throws(OutboxError) {
        // This includes places that no event has used.
        let first = SQLiteValue.integer(SegmentPlace(lane: lane.number, number: 0).rawValue)
        let end = SQLiteValue.integer(SegmentPlace(lane: lane.number &+ 1, number: 0).rawValue)
        for table in Table.allCases {
            try connection.statement("DELETE FROM \(table) WHERE place >= ? AND place < ?").run(first, end)
        }
        try connection.statement("DELETE FROM batch WHERE first >= ? AND first < ?").run(first, end)
        try connection.statement("DELETE FROM quarantine WHERE product = ? AND service = ?").run(
            .text(lane.id.product),
            .text(lane.id.service)
        )
        try connection.statement("DELETE FROM usage WHERE lane = ?").run(.integer(Int64(lane.number)))
        try save(lane)
    }

    private func save(_ lane: StoredLane) throws(OutboxError) {
        try connection.statement(SQLiteTable.lane.replace).run(
            .integer(Int64(lane.number)),
            .text(lane.id.product),
            .text(lane.id.service),
            .integer(Int64(lane.ledger.accepted)),
            .integer(Int64(lane.ledger.delivered)),
            .integer(Int64(lane.ledger.quarantined)),
            .text(lane.droppedText),
            .text(lane.adjustedText),
            .integer(lane.nextNumber),
            .integer(Int64(lane.learnedBodyBytes)),
            .integer(lane.retryState.remaining.nanoseconds),
            .text(lane.retryState.reasonText),
            .integer(Int64(lane.retryState.failures)),
            .integer(lane.retryState.noted.nanoseconds),
            .integer(Int64(lane.retryState.boot)),
            lane.lastSuccess.map { .integer($0.microseconds) } ?? .null,
            .integer(Int64(lane.checksum)),
            .text(lane.purpose),
            .text(lane.failureText)
        )
    }

    private func remove(_ place: SegmentPlace, from table: Table, _ usage: inout UsageChange) throws(OutboxError) {
        try usage.begin(place.lane)
        let statement = try connection.statement(
            "DELETE FROM \(table) WHERE place = ? RETURNING \(SQLiteTable.summary)"
        )
        defer { statement.reset() }
        try statement.bind([.integer(place.rawValue)])
        while try statement.step() { try usage.count(SQLiteOutbox.summary(in: statement), in: table, sign: -1) }
    }

    private func insert(_ segment: Segment, into table: Table, _ usage: inout UsageChange) throws(OutboxError) {
        let summary = segment.summary
        try usage.begin(segment.place.lane)
        try connection.statement(table.layout.insert).run(
            .integer(segment.place.rawValue),
            .integer(Int64(segment.priority.rawValue)),
            .integer(Int64(segment.count)),
            .integer(Int64(segment.records.count)),
            .integer(segment.stored.wall.microseconds),
            .integer(segment.stored.monotonic.nanoseconds),
            .integer(Int64(segment.stored.boot)),
            .text(UserHash.column(key: segment.key, user: segment.user)),
            .integer(Int64(summary.checksum)),
            .blob(segment.records)
        )
        try usage.count(summary, in: table, sign: 1)
    }

    private func grant(_ lane: Int, _ usage: inout UsageChange) throws(OutboxError) {
        let range = places(of: lane)
        let columns = SQLiteTable.segment.columns
        // A place is assigned once. A file with a duplicate is damaged, and its deliverable segment is kept.
        try connection.statement(
            """
            INSERT OR IGNORE INTO segment (\(columns)) SELECT \(columns) FROM held WHERE place BETWEEN ? AND ?
            """
        ).run(range.first, range.last)
        try connection.statement("DELETE FROM held WHERE place BETWEEN ? AND ?").run(range.first, range.last)
        try usage.recount(lane)
    }

    private func save(_ batch: StoredBatch) throws(OutboxError) {
        guard let first = batch.segments.first else { return }
        try connection.statement(SQLiteTable.batch.replace).run(
            .blob(batch.id.bytes),
            .integer(first.rawValue),
            .blob(batch.placesBlob),
            .integer(Int64(batch.attempts)),
            .integer(Int64(batch.suspicion.rawValue)),
            .integer(Int64(batch.checksum))
        )
    }

    private func insert(_ event: QuarantinedEvent) throws(OutboxError) {
        try connection.statement(SQLiteTable.quarantine.replace).run(
            .blob(event.id.bytes),
            .text(event.lane.product),
            .text(event.lane.service),
            .text(event.reason),
            .text(event.response),
            .integer(event.time.microseconds),
            .text(UserHash.column(key: event.key, user: event.user)),
            .integer(Int64(event.checksum)),
            .blob(event.fragment)
        )
    }
}

/// The entries of the table `meta`: `erased`, and `denied:` with a purpose, each with a number.
extension Clearance {
    private static let denied = "denied:"

    /// Reads the entries.
    ///
    /// Returns `nil` if an earlier version wrote the file.
    ///
    /// A damaged number counts as 0, so every denial or erasure is applied again.
    init?(_ notes: [String: String]) {
        guard let erasure = notes["erased"] else { return nil }
        let denials = notes.lazy.filter { $0.key.hasPrefix(Clearance.denied) }.map { key, value in
            (String(key.dropFirst(Clearance.denied.count)), Clearance.number(value))
        }
        self.init(erasure: Clearance.number(erasure), denials: Dictionary(denials) { first, _ in first })
    }

    private static func number(_ text: String) -> UInt64 {
        UInt64(text).flatMap { $0 <= CheckedText.greatestNumber ? $0 : nil } ?? 0
    }

    var notes: [String: String] {
        let numbers = denials.map { (Clearance.denied + $0.key, $0.value) } + [("erased", erasure)]
        return Dictionary(numbers.map { ($0, String(min($1, CheckedText.greatestNumber))) }) { first, _ in first }
    }
}

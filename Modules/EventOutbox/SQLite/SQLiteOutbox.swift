import CoreTracker
package import EventBuffer

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
    package let path: String
    /// What the lanes store, as far as it has been asked for or changed.
    var usages: [Int: LaneUsage] = [:]
    private let logInode: UInt64?
    /// Commits and bytes of packs since the last checkpoint.
    private var commits = 0
    private var written = 0
    /// What tells whether anybody else has had the file.
    ///
    /// It is another number after each barrier, and after the first commit of each process. After a commit that has
    /// failed there are two, since nobody knows whether it has reached the file.
    package private(set) var stamps: Set<Int>
    private var hasStamped = false
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
        let stamp = barrier || !hasStamped ? Int(try connection.integer("SELECT random()")) : nil
        do throws(OutboxError) {
            try connection.transaction { () throws(OutboxError) in
                try apply(change)
                // A commit without a change writes nothing, and so would not be a barrier.
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
        // The freed pages have been overwritten in the WAL; now they are in the file too, and the WAL is empty.
        guard try settle("PRAGMA wal_checkpoint(TRUNCATE)") else { throw .busy }
        // A page that is in use may hold bytes of rows that SQLite has moved elsewhere, and nobody overwrites those.
        do throws(OutboxError) {
            try noticingFailedSync { () throws(OutboxError) in try connection.vacuum() }
        } catch .full {
            // There is no room to write all of it anew: the pages that were freed earlier are taken away at least.
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
        for place in change.removed { try remove(place, from: .pack, &usage) }
        for place in change.removedHeld { try remove(place, from: .held, &usage) }
        for lane in change.grantedLanes { try grant(lane, &usage) }
        for pack in change.inserted { try insert(pack, into: .pack, &usage) }
        for pack in change.insertedHeld { try insert(pack, into: .held, &usage) }
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

    /// Writes an entry of the file's own notes.
    func note(_ key: String, _ value: String) throws(OutboxError) {
        try connection.statement(SQLiteTable.meta.replace).run(.text(key), .text(value))
    }

    /// Deletes what is stored for a lane, and stores its books.
    func erase(_ lane: StoredLane) throws(OutboxError) {
        // Also what lies at places that no event ever had.
        let first = SQLiteValue.integer(PackPlace(lane: lane.number, number: 0).rawValue)
        let end = SQLiteValue.integer(PackPlace(lane: lane.number &+ 1, number: 0).rawValue)
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
            .text(lane.repairedText),
            .integer(lane.nextNumber),
            .integer(Int64(lane.learnedBodyBytes)),
            .integer(lane.gate.remaining.nanoseconds),
            .text(lane.gate.reasonText),
            .integer(Int64(lane.gate.failures)),
            .integer(lane.gate.noted.nanoseconds),
            .integer(Int64(lane.gate.boot)),
            lane.lastSuccess.map { .integer($0.microseconds) } ?? .null,
            .integer(Int64(lane.checksum)),
            .text(lane.purpose),
            .text(lane.failureText)
        )
    }

    private func remove(_ place: PackPlace, from table: Table, _ usage: inout UsageChange) throws(OutboxError) {
        try usage.begin(place.lane)
        let statement = try connection.statement(
            "DELETE FROM \(table) WHERE place = ? RETURNING \(SQLiteTable.summary)"
        )
        defer { statement.reset() }
        try statement.bind([.integer(place.rawValue)])
        while try statement.step() { try usage.count(SQLiteOutbox.summary(in: statement), in: table, sign: -1) }
    }

    private func insert(_ pack: Pack, into table: Table, _ usage: inout UsageChange) throws(OutboxError) {
        let summary = pack.summary
        try usage.begin(pack.place.lane)
        try connection.statement(table.layout.insert).run(
            .integer(pack.place.rawValue),
            .integer(Int64(pack.priority.rawValue)),
            .integer(Int64(pack.count)),
            .integer(Int64(pack.records.count)),
            .integer(pack.stored.wall.microseconds),
            .integer(pack.stored.monotonic.nanoseconds),
            .integer(Int64(pack.stored.boot)),
            .text(UserMark.column(key: pack.key, user: pack.user)),
            .integer(Int64(summary.checksum)),
            .blob(pack.records)
        )
        try usage.count(summary, in: table, sign: 1)
    }

    private func grant(_ lane: Int, _ usage: inout UsageChange) throws(OutboxError) {
        let range = places(of: lane)
        let columns = SQLiteTable.pack.columns
        // A place is given once; a file that has it twice is damaged, and keeps what can be delivered.
        try connection.statement(
            """
            INSERT OR IGNORE INTO pack (\(columns)) SELECT \(columns) FROM held WHERE place BETWEEN ? AND ?
            """
        ).run(range.first, range.last)
        try connection.statement("DELETE FROM held WHERE place BETWEEN ? AND ?").run(range.first, range.last)
        try usage.recount(lane)
    }

    private func save(_ batch: StoredBatch) throws(OutboxError) {
        guard let first = batch.packs.first else { return }
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
            .text(event.answer),
            .integer(event.time.microseconds),
            .text(UserMark.column(key: event.key, user: event.user)),
            .integer(Int64(event.checksum)),
            .blob(event.fragment)
        )
    }
}

/// A clearance as notes of the file: `erased`, and `denied:` with a purpose, each with its number.
extension Clearance {
    private static let denied = "denied:"

    /// Reads the notes; `nil` if an earlier version has written the file.
    ///
    /// A number that is damaged counts as 0: nothing has taken effect.
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

/// The outbox in one SQLite file: WAL, one connection, an exclusive lock as owner lock.
///
/// A commit costs about 10 µs plus some 2 µs for each pack; a barrier costs one fsync.
final class SQLiteOutbox: Outbox {
    let connection: SQLiteConnection
    let path: String
    /// Pages in the WAL since the last check-point, roughly.
    private var uncheckpointedCommits = 0

    /// Opens the file at a path, which must exist and not be owned by another connection.
    init(path: String) throws(OutboxError) {
        self.path = path
        let connection = try SQLiteConnection(path: path)
        do throws(OutboxError) {
            try connection.execute(SQLiteSchema.settings)
            try SQLiteSchema.prepare(connection)
            // In exclusive mode the first write takes the lock for good.
            try connection.execute("BEGIN IMMEDIATE; COMMIT")
        } catch {
            connection.close()
            throw error
        }
        self.connection = connection
    }

    func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        if barrier { try connection.execute("PRAGMA synchronous = FULL") }
        defer { if barrier { try? connection.execute("PRAGMA synchronous = NORMAL") } }
        try connection.transaction { () throws(OutboxError) in
            try apply(change)
            if barrier {
                // A commit without a change writes nothing, and so would not be a barrier.
                try connection.statement("INSERT OR REPLACE INTO meta VALUES ('barrier', ?)").run(
                    .text("\(barrierNumber)")
                )
                barrierNumber += 1
            }
        }
        uncheckpointedCommits += 1
        if uncheckpointedCommits >= 256 { try? checkpoint() }
    }

    func maintain() throws(OutboxError) {
        try checkpoint()
        try connection.execute("PRAGMA incremental_vacuum(256)")
    }

    func close() {
        try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    }

    private var barrierNumber = 0

    private func checkpoint() throws(OutboxError) {
        uncheckpointedCommits = 0
        _ = try connection.integer("PRAGMA wal_checkpoint(PASSIVE)")
    }

    func purge(_ lanes: [StoredLane]) throws(OutboxError) {
        try connection.execute("PRAGMA secure_delete = ON")
        defer { try? connection.execute("PRAGMA secure_delete = FAST") }
        try connection.transaction { () throws(OutboxError) in
            for lane in lanes {
                for table in ["pack", "held"] {
                    try connection.statement("DELETE FROM \(table) WHERE place BETWEEN ? AND ?").run(
                        .integer(PackPlace(lane: lane.number, number: 0).rawValue),
                        .integer(PackPlace(lane: lane.number + 1, number: 0).rawValue - 1)
                    )
                }
                try connection.statement("DELETE FROM batch WHERE first BETWEEN ? AND ?").run(
                    .integer(PackPlace(lane: lane.number, number: 0).rawValue),
                    .integer(PackPlace(lane: lane.number + 1, number: 0).rawValue - 1)
                )
                try connection.statement("DELETE FROM quarantine WHERE product = ? AND service = ?").run(
                    .text(lane.id.product),
                    .text(lane.id.service)
                )
                try save(lane)
            }
        }
        // The freed pages have been overwritten in the WAL; now they are in the file too, and the WAL is empty.
        let busy = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
        guard busy == 0 else { throw .busy }
        try connection.execute("PRAGMA incremental_vacuum")
        _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

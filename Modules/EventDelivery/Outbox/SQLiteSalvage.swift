import CSQLite

/// Reads what is left of a damaged outbox file: each row that still answers, each record whose checksum is right.
///
/// The file is never changed for the sake of a result, and never deleted.
struct SQLiteSalvage {
    private let connection: SQLiteConnection

    /// Reads a file that nobody has open.
    ///
    /// Its lanes are those of its table, completed with the mark, unless the caller knows better. Throws where the
    /// device does not let it read at all, which says nothing about the file.
    static func read(
        path: String,
        mark: HighWaterMark?,
        lanes: [StoredLane]? = nil
    ) throws(OutboxError) -> OutboxContents {
        let connection = try SQLiteConnection(path: path, forSalvage: true)
        defer { connection.close() }
        do throws(OutboxError) {
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM lane")
        } catch .corrupt {
            // That is what it is here for.
        } catch .failed(SQLITE_ERROR) {
            // There is no such table.
        }
        let salvage = SQLiteSalvage(connection: connection)
        var contents = OutboxContents()
        contents.lanes = lanes ?? StoredLane.merging(salvage.lanes, with: mark)
        salvage.read(into: &contents)
        contents.countLosses()
        return contents
    }

    private var lanes: [StoredLane] {
        var lanes: [Int: StoredLane] = [:]
        rows("SELECT * FROM lane ORDER BY number") { row in
            let lane = SQLiteOutbox.lane(in: row)
            lanes[lane.number] = lane
        }
        return Array(lanes.values)
    }

    private func read(into contents: inout OutboxContents) {
        let known = Set(contents.lanes.map(\.number))
        for table in SQLiteOutbox.Table.allCases {
            for pack in packs(of: table) where known.contains(pack.place.lane) {
                contents.add(pack, isHeld: table == .held)
            }
        }
        var batches: [EventID: StoredBatch] = [:]
        rows("SELECT id, packs, attempts, suspicion, crc FROM batch ORDER BY id") { row in
            if let batch = SQLiteOutbox.batch(in: row) { batches[batch.id] = batch }
        }
        contents.batches = batches.values.sorted { $0.precedes($1) }
        let columns = "id, product, service, reason, answer, time, key, crc, fragment"
        var refused: [EventID: QuarantinedEvent] = [:]
        rows("SELECT \(columns) FROM quarantine ORDER BY number") { row in
            if let event = SQLiteOutbox.quarantined(in: row) { refused[event.id] = event }
        }
        contents.quarantined = refused.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    private func packs(of table: SQLiteOutbox.Table) -> [Pack] {
        var found: [PackPlace: Pack] = [:]
        rows("SELECT \(SQLiteOutbox.summaryColumns), records FROM \(table) ORDER BY place") { row in
            let pack = SQLiteOutbox.pack(in: row)
            if found[pack.place] == nil { found[pack.place] = pack }
        }
        return found.values.sorted { $0.place < $1.place }
    }

    /// Reads from both ends, so that one damaged page does not hide what lies behind it.
    private func rows(_ query: String, _ body: (SQLiteStatement) -> Void) {
        for order in ["ASC", "DESC"] {
            guard let statement = try? connection.statement(query + " " + order) else { continue }
            defer { statement.reset() }
            while (try? statement.step()) == true { body(statement) }
        }
    }
}

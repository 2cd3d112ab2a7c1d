import CSQLite
package import EventBuffer

/// Reads what is left of a damaged outbox file: each row that still answers, each record whose checksum is right.
///
/// The file is never changed for the sake of a result, and never deleted.
package struct SQLiteSalvage {
    private let connection: SQLiteConnection
    private let skipsUnreadable: Bool

    /// Reads a file that nobody has open.
    ///
    /// Its lanes are those of its table, completed with the mark, unless the caller knows better. Throws where the
    /// device does not let it read, which says nothing about the file; a part that has not been readable for long can
    /// be passed over like a damaged one.
    package static func read(
        path: String,
        mark: HighWaterMark?,
        lanes: [StoredLane]? = nil,
        skipsUnreadable: Bool = false
    ) throws(OutboxError) -> OutboxContents {
        let connection = try SQLiteConnection(path: path, forSalvage: true)
        defer { connection.close() }
        let salvage = SQLiteSalvage(connection: connection, skipsUnreadable: skipsUnreadable)
        try salvage.tolerating { () throws(OutboxError) in
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM lane")
        }
        connection.allowRows()
        var contents = OutboxContents()
        contents.lanes =
            if let lanes { lanes } else { StoredLane.merging(try salvage.lanes(), with: mark) }
        try salvage.read(into: &contents)
        contents.countLosses()
        return contents
    }

    private func lanes() throws(OutboxError) -> [StoredLane] {
        var lanes: [Int: StoredLane] = [:]
        try rows(of: "lane", SQLiteTable.lane.columns, by: "number", readsTexts: true) { row in
            guard lanes.count < StoredLane.most, let lane = SQLiteOutbox.lane(in: row) else { return }
            lanes[lane.number] = lane
        }
        return Array(lanes.values)
    }

    private func read(into contents: inout OutboxContents) throws(OutboxError) {
        let known = Set(contents.lanes.map(\.number))
        for table in SQLiteOutbox.Table.allCases {
            for pack in try packs(of: table) where known.contains(pack.place.lane) {
                contents.add(pack, isHeld: table == .held)
            }
        }
        var batches: [EventID: StoredBatch] = [:]
        try rows(of: "batch", SQLiteTable.batch.columns, by: "id") { row in
            if let batch = SQLiteOutbox.batch(in: row) { batches[batch.id] = batch }
        }
        contents.batches = batches.values.sorted { $0.precedes($1) }
        var refused: [EventID: QuarantinedEvent] = [:]
        try rows(of: "quarantine", SQLiteTable.quarantine.columns, by: "number") { row in
            if let event = SQLiteOutbox.quarantined(in: row) { refused[event.id] = event }
        }
        var notes: [String: String] = [:]
        try rows(of: "meta", SQLiteTable.meta.columns, by: "key", readsTexts: true) { row in
            SQLiteOutbox.note(in: row, into: &notes)
        }
        contents.clearance = Clearance(notes)
        contents.quarantined = refused.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    private func packs(of table: SQLiteOutbox.Table) throws(OutboxError) -> [Pack] {
        var found: [PackPlace: Pack] = [:]
        try rows(of: table.rawValue, table.layout.columns, by: "place") { row in
            let pack = SQLiteOutbox.pack(in: row)
            if found[pack.place] == nil { found[pack.place] = pack }
        }
        return found.values.sorted { $0.place < $1.place }
    }

    /// Reads from both ends, so that one damaged page does not hide what lies behind it.
    private func rows(
        of table: String,
        _ columns: String,
        by key: String,
        readsTexts: Bool = false,
        _ body: (SQLiteStatement) -> Void
    ) throws(OutboxError) {
        var isStored = false
        try tolerating { () throws(OutboxError) in isStored = try isStoredTable(table) }
        guard isStored else { return }
        for order in ["ASC", "DESC"] {
            try tolerating { () throws(OutboxError) in
                let statement = try connection.statement(
                    "SELECT \(columns) FROM \(table) ORDER BY \(key) \(order)",
                    readsTexts: readsTexts
                )
                defer { statement.reset() }
                while try statement.step() { body(statement) }
            }
        }
    }

    /// Whether a name is that of a table whose columns are all stored: a view, a virtual table and a computed column
    /// would run what somebody else has written.
    private func isStoredTable(_ name: String) throws(OutboxError) -> Bool {
        let found = try connection.integer(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = '\(name)'"
        )
        let computed = try connection.integer("SELECT count(*) FROM pragma_table_xinfo('\(name)') WHERE hidden <> 0")
        return found == 1 && computed == 0
    }

    /// Reads as far as it goes: damage is what a salvage is here for, and a damaged file may lack a table.
    private func tolerating(_ body: () throws(OutboxError) -> Void) throws(OutboxError) {
        do throws(OutboxError) {
            try body()
        } catch .corrupt {
        } catch .failed(SQLITE_ERROR) {
        } catch .failed(let code) where skipsUnreadable && code & 0xFF == SQLITE_IOERR {
        }
    }
}

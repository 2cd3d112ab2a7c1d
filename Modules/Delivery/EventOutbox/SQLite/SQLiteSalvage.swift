import CSQLite
package import EventBuffer

/// A reader for a damaged outbox file.
///
/// It reads each readable row and each record with a correct checksum.
///
/// It never changes or deletes the file.
package struct SQLiteSalvage {
    private let connection: SQLiteConnection
    private let skipsUnreadable: Bool

    /// Reads a file that no connection has open.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - mark: The file's durability checkpoint, which completes its lanes.
    ///   - lanes: The rows of the lanes, or `nil` to use the rows in the file and the checkpoint.
    ///   - skipsUnreadable: Whether unreadable parts are skipped like damaged parts.
    /// - Returns: The valid contents.
    /// - Throws: The error of the device if a part cannot be read and `skipsUnreadable` is `false`. It does not mean
    ///   that the file is damaged.
    package static func read(
        path: String,
        mark: DurabilityCheckpoint?,
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
            for segment in try segments(of: table) where known.contains(segment.place.lane) {
                contents.add(segment, isHeld: table == .held)
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

    private func segments(of table: SQLiteOutbox.Table) throws(OutboxError) -> [Segment] {
        var found: [SegmentPlace: Segment] = [:]
        try rows(of: table.rawValue, table.layout.columns, by: "place") { row in
            let segment = SQLiteOutbox.segment(in: row)
            if found[segment.place] == nil { found[segment.place] = segment }
        }
        return found.values.sorted { $0.place < $1.place }
    }

    /// Reads from both ends, because one damaged page hides the rows behind it.
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

    /// Whether a name belongs to a table with stored columns only.
    ///
    /// A view, a virtual table or a computed column would run SQL from the file.
    private func isStoredTable(_ name: String) throws(OutboxError) -> Bool {
        let found = try connection.integer(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = '\(name)'"
        )
        let computed = try connection.integer("SELECT count(*) FROM pragma_table_xinfo('\(name)') WHERE hidden <> 0")
        return found == 1 && computed == 0
    }

    /// Runs a read, and ignores damage.
    ///
    /// A damaged file may lack a table.
    private func tolerating(_ body: () throws(OutboxError) -> Void) throws(OutboxError) {
        do throws(OutboxError) {
            try body()
        } catch .corrupt {
        } catch .failed(SQLITE_ERROR) {
        } catch .failed(let code) where skipsUnreadable && code & 0xFF == SQLITE_IOERR {
        }
    }
}

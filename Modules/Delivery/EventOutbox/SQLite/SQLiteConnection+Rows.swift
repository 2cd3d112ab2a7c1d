import EventTracking

extension SQLiteConnection {
    /// Inserts a row, or replaces the row with the same key.
    func save(_ row: any OutboxRow) throws(OutboxError) {
        let (key, value, type) = (row.rowKey, row.rowValue, type(of: row))
        try statement(type.table.replace).run(.blob(key), .blob(value), .integer(type.checksum(key, value)))
    }

    /// Deletes the row with a key, if there is one.
    func delete(_ key: [UInt8], from table: RowTable) throws(OutboxError) {
        try statement(table.delete).run(.blob(key))
    }

    /// Deletes the rows of a lane from a table whose keys begin with the number of the lane.
    func delete(lane: Int, from table: RowTable) throws(OutboxError) {
        try statement(table.deleteRange).run(.blob(LaneKey.start(of: lane)), .blob(LaneKey.start(of: lane + 1)))
    }

    /// Passes each row of a table to a closure, except damaged ones.
    ///
    /// - Parameters:
    ///   - type: The type of the rows.
    ///   - order: The direction in which SQLite reads the keys.
    ///   - body: Receives a row.
    func forEach(
        _ type: any OutboxRow.Type,
        order: String = "ASC",
        _ body: (any OutboxRow) -> Void
    ) throws(OutboxError) {
        let statement = try statement("SELECT key, value, crc FROM \(type.table.name) ORDER BY key \(order)")
        defer { statement.reset() }
        while try statement.step() {
            let (key, value, checksum) = (statement.blob(0), statement.blob(1), statement.integer(2))
            if let row = type.init(rowKey: key, value: value, checksum: checksum) { body(row) }
        }
    }

    /// Returns the rows of a table, except damaged ones, in the order of their keys.
    func rows<Row: OutboxRow>(of type: Row.Type) throws(OutboxError) -> [Row] {
        var rows: [Row] = []
        try forEach(type) { if let row = $0 as? Row { rows.append(row) } }
        return rows
    }
}

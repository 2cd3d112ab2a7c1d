/// The two tables of segments, of which one is empty except while the file is rewritten.
///
/// A page in use can contain bytes of deleted rows that SQLite has moved to other pages. A rewrite moves all rows into
/// the other table, one step after the other, and thereby frees each page of the first table. Meanwhile, rows are in
/// both tables.
struct SegmentTables {
    /// The table into which segments are inserted.
    private(set) var current = SQLiteTable.segment
    /// The other table.
    private(set) var other = SQLiteTable.moved
    /// Whether the other table may have rows.
    private(set) var isSplit = false

    /// The tables that may have rows.
    var used: [SQLiteTable] { isSplit ? [current, other] : [current] }

    /// Uses the tables of a newly opened file.
    ///
    /// - Parameters:
    ///   - hasFirst: Whether the table `segment` has rows.
    ///   - hasSecond: Whether the table `moved` has rows.
    mutating func open(hasFirst: Bool, hasSecond: Bool) {
        if hasSecond { swap(&current, &other) }
        isSplit = hasFirst && hasSecond
    }

    /// Starts moving all rows into the other, empty table.
    mutating func startMoving() {
        swap(&current, &other)
        isSplit = true
    }

    /// Records that the other table is empty.
    mutating func endMoving() { isSplit = false }

    /// Returns a query of the segments.
    ///
    /// - Parameters:
    ///   - columns: The columns, of which the first one is the place.
    ///   - condition: The condition, with numbered parameters.
    ///   - end: The order and the limit.
    func query(_ columns: String, where condition: String, _ end: String) -> String {
        let parts = used.map { "SELECT \(columns) FROM \($0.name) WHERE \(condition)" }
        return parts.joined(separator: " UNION ALL ") + " " + end
    }
}

/// A table of an outbox file: its columns, named once, in the order in which its rows are read and written.
struct SQLiteTable: Sendable {
    let name: String
    /// The columns, as SQL lists them.
    let columns: String
    /// Inserts a row, whose values come in the order of the columns.
    let insert: String
    /// Inserts a row, or replaces the one with the same key.
    let replace: String

    private init(_ name: String, _ columns: [String]) {
        self.name = name
        self.columns = columns.joined(separator: ", ")
        let values = columns.map { ":" + $0 }.joined(separator: ", ")
        insert = "INSERT INTO \(name) (\(self.columns)) VALUES (\(values))"
        replace = "INSERT OR REPLACE INTO \(name) (\(self.columns)) VALUES (\(values))"
    }

    static let meta = SQLiteTable("meta", ["key", "value"])
    static let lane = SQLiteTable("lane", laneColumns + ["purpose", "failure"])
    static let usage = SQLiteTable(
        "usage",
        ["lane", "low", "normal", "high", "bytes", "held", "held_bytes", "crc"]
    )
    static let pack = SQLiteTable("pack", summaryColumns + ["records"])
    static let held = SQLiteTable("held", summaryColumns + ["records"])
    static let batch = SQLiteTable("batch", ["id", "first", "packs", "attempts", "suspicion", "crc"])
    static let quarantine = SQLiteTable(
        "quarantine",
        ["id", "product", "service", "reason", "answer", "time", "key", "crc", "fragment"]
    )

    /// The columns of a pack without its records, which are the first ones of the table.
    static let summary = summaryColumns.joined(separator: ", ")
    /// These and the length of the records, which SQLite knows without reading them.
    static let measuredSummary = summary + ", length(records)"

    /// The columns of a lane in a file that may be of any version: those that it lacks are empty.
    static func lane(in version: Int64) -> String {
        version >= 2 ? lane.columns : laneColumns.joined(separator: ", ") + ", '', ''"
    }

    private static let summaryColumns = [
        "place", "priority", "count", "bytes", "wall", "monotonic", "boot", "key", "crc",
    ]
    private static let laneColumns = [
        "number", "product", "service", "accepted", "delivered", "quarantined", "dropped", "repaired", "next",
        "learned", "wait", "reason", "failures", "noted", "boot", "success", "crc",
    ]
}

/// Reads the columns of a statement's current row, one after another.
struct SQLiteRow {
    private let statement: SQLiteStatement
    private var column: Int32 = 0

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    /// The next column, an integer.
    mutating func integer() -> Int64 {
        defer { column += 1 }
        return statement.integer(column)
    }

    /// The next column, an integer that this platform can hold; -1, which no column holds, for any other.
    mutating func int() -> Int { Int(exactly: integer()) ?? -1 }

    /// The next column, an unsigned one; 0 for what is none.
    mutating func uint32() -> UInt32 { UInt32(exactly: integer()) ?? 0 }

    /// The next column, a text.
    mutating func text() -> String {
        defer { column += 1 }
        return statement.text(column)
    }

    /// The next column, bytes.
    mutating func blob() -> [UInt8] {
        defer { column += 1 }
        return statement.blob(column)
    }
}

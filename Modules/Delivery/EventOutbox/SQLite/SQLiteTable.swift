import CoreTracker
import EventTracking

/// A table of segments, with its columns in the order of reading and writing.
///
/// The small columns precede the records, so reading a summary never reads the records' pages.
struct SQLiteTable: Sendable {
    let name: String
    /// The columns as an SQL list.
    let columns: String
    /// The statement that inserts or replaces a row, with values in the order of the columns.
    let insert: String
    /// The statement that creates the table.
    let definition: String

    private init(_ name: String) {
        self.name = name
        let columns = SQLiteTable.summaryColumns + ["records"]
        self.columns = columns.joined(separator: ", ")
        let values = columns.map { ":" + $0 }.joined(separator: ", ")
        insert = "INSERT OR REPLACE INTO \(name) (\(self.columns)) VALUES (\(values))"
        definition = """
            CREATE TABLE \(name) (
                place INTEGER PRIMARY KEY, decision INTEGER NOT NULL, priority INTEGER NOT NULL,
                count INTEGER NOT NULL, bytes INTEGER NOT NULL, wall INTEGER NOT NULL, monotonic INTEGER NOT NULL,
                boot INTEGER NOT NULL, user INTEGER NOT NULL, key TEXT NOT NULL, crc INTEGER NOT NULL,
                records BLOB NOT NULL)
            """
    }

    static let segment = SQLiteTable("segment")
    /// A second table of segments; see ``SegmentTables``.
    static let moved = SQLiteTable("moved")

    /// The columns of a segment without its records, and the length of the records, which SQLite knows without reading
    /// them.
    static let summary = summaryColumns.joined(separator: ", ") + ", length(records)"

    private static let summaryColumns = [
        "place", "decision", "priority", "count", "bytes", "wall", "monotonic", "boot", "user", "key", "crc",
    ]
}

/// A reader for the columns of a statement's current row, in order.
struct SQLiteRow {
    private let statement: SQLiteStatement
    private var column: Int32 = 0

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    /// Reads an integer from the next column.
    mutating func integer() -> Int64 {
        defer { column += 1 }
        return statement.integer(column)
    }

    /// Reads an `Int` from the next column.
    ///
    /// Returns -1, which no column contains, if it does not fit.
    mutating func int() -> Int { Int(exactly: integer()) ?? -1 }

    /// Reads a decision number from the next column.
    ///
    /// Returns `UInt64.max`, which counts as damage, for a negative column.
    mutating func number() -> UInt64 { UInt64(exactly: integer()) ?? .max }

    /// Reads a `UInt32` from the next column.
    ///
    /// Returns 0 if it does not fit.
    mutating func uint32() -> UInt32 { UInt32(exactly: integer()) ?? 0 }

    /// Reads a text from the next column.
    mutating func text() -> String {
        defer { column += 1 }
        return statement.text(column)
    }

    /// Reads bytes from the next column.
    mutating func blob() -> [UInt8] {
        defer { column += 1 }
        return statement.blob(column)
    }
}

extension SegmentSummary {
    /// The checksum of a segment's columns.
    ///
    /// The records have separate checksums.
    var checksum: UInt32 {
        var checksum = Checksum()
        checksum.add(place.rawValue)
        checksum.add(Int64(clamping: decision))
        checksum.add(Int64(priority.rawValue))
        checksum.add(Int64(count))
        checksum.add(Int64(bytes))
        checksum.add(stored.wall.microseconds)
        checksum.add(stored.monotonic.nanoseconds)
        checksum.add(Int64(stored.boot))
        checksum.add(user.column)
        checksum.add(key)
        return checksum.value
    }
}

extension UserHash {
    /// Creates the hash of a column, or returns `nil` for an unknown user.
    init?(column: Int64) {
        guard column != -1 else { return nil }
        self.init(rawValue: UInt64(bitPattern: column))
    }
}

extension UserHash? {
    /// The hash as an integer of the same bits, or -1 for the unknown user of a damaged row.
    var column: Int64 { self.map { Int64(bitPattern: $0.rawValue) } ?? -1 }
}

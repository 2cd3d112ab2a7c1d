import CoreTracker
import EventBuffer

/// A table of an outbox file, with its columns in the order in which rows are read and written.
struct SQLiteTable: Sendable {
    let name: String
    /// The columns as an SQL list.
    let columns: String
    /// The statement that inserts a row, with values in the order of the columns.
    let insert: String
    /// The statement that inserts a row or replaces the row with the same key.
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
    static let segment = SQLiteTable("segment", summaryColumns + ["records"])
    static let held = SQLiteTable("held", summaryColumns + ["records"])
    static let batch = SQLiteTable("batch", ["id", "first", "segments", "attempts", "suspicion", "crc"])
    static let quarantine = SQLiteTable(
        "quarantine",
        ["id", "product", "service", "reason", "answer", "time", "key", "crc", "fragment"]
    )

    /// The columns of a segment without its records, which are the table's first columns.
    static let summary = summaryColumns.joined(separator: ", ")
    /// The columns of ``summary`` and the length of the records, which SQLite knows without reading them.
    static let measuredSummary = summary + ", length(records)"

    private static let summaryColumns = [
        "place", "priority", "count", "bytes", "wall", "monotonic", "boot", "key", "crc",
    ]
    private static let laneColumns = [
        "number", "product", "service", "accepted", "delivered", "quarantined", "dropped", "repaired", "next",
        "learned", "wait", "reason", "failures", "noted", "boot", "success", "crc",
    ]
}

/// A reader for the columns of a statement's current row, in order.
struct SQLiteRow {
    private let statement: SQLiteStatement
    private var column: Int32 = 0
    /// Whether a text exceeded its limit, which means that the row is damaged.
    private(set) var isTooLong = false

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

    /// Reads a `UInt32` from the next column.
    ///
    /// Returns 0 if it does not fit.
    mutating func uint32() -> UInt32 { UInt32(exactly: integer()) ?? 0 }

    /// Reads a text from the next column.
    ///
    /// Returns an empty string if it exceeds the limit.
    mutating func text(limit: Int = SQLiteText.longest) -> String {
        defer { column += 1 }
        guard let text = statement.text(column, limit: limit) else {
            isTooLong = true
            return ""
        }
        return text
    }

    /// Reads a name from the next column.
    mutating func name() -> String { text(limit: SQLiteText.longestName) }

    /// Reads bytes from the next column.
    mutating func blob() -> [UInt8] {
        defer { column += 1 }
        return statement.blob(column)
    }
}

// Conversions between the values of an outbox and columns, and the checksums that detect changed columns.

extension EventID {
    /// The 16 bytes as in RFC 9562.
    var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    /// Creates an ID from 16 bytes.
    ///
    /// Returns `nil` for any other number of bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
        )
    }
}

extension SegmentSummary {
    /// The checksum of a segment's columns.
    ///
    /// The records have separate checksums.
    var checksum: UInt32 {
        var checksum = Checksum()
        checksum.add(place.rawValue)
        checksum.add(Int64(priority.rawValue))
        checksum.add(Int64(count))
        checksum.add(Int64(bytes))
        checksum.add(stored.wall.microseconds)
        checksum.add(stored.monotonic.nanoseconds)
        checksum.add(Int64(stored.boot))
        checksum.add(UserHash.column(key: key, user: user))
        return checksum.value
    }
}

extension LaneUsage {
    /// Returns the checksum of a lane's counts.
    func checksum(lane: Int) -> UInt32 {
        var checksum = Checksum()
        for number in [lane] + events + [bytes, heldEvents, heldBytes] { checksum.add(Int64(number)) }
        return checksum.value
    }
}

extension StoredLane {
    /// The counts of dropped events as text, one line for each reason.
    var droppedText: String {
        ledger.dropped.sorted { $0.key.name < $1.key.name }.map { "\($0.key.name)\t\($0.value)" }.joined(
            separator: "\n"
        )
    }

    /// The counts of adjusted events as text, one line for each rule.
    var adjustedText: String {
        ledger.adjusted.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)" }.joined(separator: "\n")
    }

    /// The checksum of a lane's columns.
    var checksum: UInt32 {
        var checksum = Checksum()
        for text in [id.product, id.service, droppedText, adjustedText, retryState.reasonText] { checksum.add(text) }
        let numbers = [
            Int64(number), Int64(ledger.accepted), Int64(ledger.delivered), Int64(ledger.quarantined), nextNumber,
            Int64(learnedBodyBytes), retryState.remaining.nanoseconds, Int64(retryState.failures),
            retryState.noted.nanoseconds, Int64(retryState.boot), lastSuccess?.microseconds ?? 0,
        ]
        for number in numbers { checksum.add(number) }
        // Rows of version 1 have neither, and their checksums stay valid.
        if !purpose.isEmpty || lastFailure != nil {
            checksum.add(purpose)
            checksum.add(Int64(purpose.utf8.count))
            checksum.add(failureText)
        }
        return checksum.value
    }

    /// The last failure as text, or empty.
    var failureText: String { lastFailure?.text ?? "" }

    mutating func readDropped(_ text: String) {
        for (name, count) in StoredLane.counts(in: text) { ledger.dropped[DropReason(name)] = count }
    }

    mutating func readAdjusted(_ text: String) {
        for (name, count) in StoredLane.counts(in: text) { ledger.adjusted[name] = count }
    }

    private static func counts(in text: String) -> [(String, Int)] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t")
            guard parts.count == 2, let count = Int(parts[1]) else { return nil }
            return (String(parts[0]), count)
        }
    }
}

extension StoredBatch {
    /// The places of the segments, 8 bytes each.
    var placesBlob: [UInt8] {
        segments.flatMap { place in withUnsafeBytes(of: place.rawValue.bigEndian) { Array($0) } }
    }

    /// Reads the places of segments.
    static func places(in blob: [UInt8]) -> [SegmentPlace] {
        stride(from: 0, to: blob.count - 7, by: 8).map { start in
            SegmentPlace(rawValue: Int64(bitPattern: blob[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }))
        }
    }

    /// The checksum of a batch's columns.
    var checksum: UInt32 {
        var checksum = Checksum()
        checksum.add(id.bytes)
        checksum.add(placesBlob)
        checksum.add(Int64(attempts))
        checksum.add(Int64(suspicion.rawValue))
        return checksum.value
    }
}

extension QuarantinedEvent {
    /// The checksum of a quarantined event's columns.
    var checksum: UInt32 {
        var checksum = Checksum()
        checksum.add(id.bytes)
        let column = UserHash.column(key: key, user: user)
        for text in [lane.product, lane.service, reason, response, column] { checksum.add(text) }
        checksum.add(time.microseconds)
        checksum.add(fragment)
        return checksum.value
    }
}

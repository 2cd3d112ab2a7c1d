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
    /// The maximum number of rows that are read, except of the segments, which the file's size limits.
    ///
    /// It exceeds the number of rows that this library writes, so more of them are damage.
    let maximumRows: Int

    private init(_ name: String, maximumRows: Int = .max - 1, _ columns: [String]) {
        self.name = name
        self.maximumRows = maximumRows
        self.columns = columns.joined(separator: ", ")
        let values = columns.map { ":" + $0 }.joined(separator: ", ")
        insert = "INSERT INTO \(name) (\(self.columns)) VALUES (\(values))"
        replace = "INSERT OR REPLACE INTO \(name) (\(self.columns)) VALUES (\(values))"
    }

    static let state = SQLiteTable(
        "state",
        maximumRows: 1,
        [
            "id", "number", "scrub", "installation", "session", "session_start", "session_number", "session_last",
            "decisions", "erasures", "followed", "crc", "barriers",
        ]
    )
    static let decision = SQLiteTable(
        "decision",
        maximumRows: 4_096,
        ["purpose", "consent", "number", "denial", "crc"]
    )
    static let erasure = SQLiteTable("erasure", maximumRows: 4_096, ["number", "user", "crc"])
    static let lane = SQLiteTable(
        "lane",
        maximumRows: StoredLane.maximum,
        [
            "number", "product", "service", "purpose", "accepted", "delivered", "quarantined", "dropped", "adjusted",
            "next", "void", "low", "normal", "high", "bytes", "body", "wait", "reason", "failures", "noted", "boot",
            "success", "failure", "crc",
        ]
    )
    static let segment = SQLiteTable("segment", summaryColumns + ["records"])
    /// A second table of segments; see ``SegmentTables``.
    static let moved = SQLiteTable("moved", summaryColumns + ["records"])
    static let batch = SQLiteTable(
        "batch",
        maximumRows: 65_536,
        ["id", "first", "segments", "attempts", "crc"]
    )
    static let quarantine = SQLiteTable(
        "quarantine",
        maximumRows: 16_384,
        ["id", "product", "service", "decision", "user", "reason", "response", "time", "key", "crc", "fragment"]
    )

    /// The tables whose rows are all read at the opening.
    static let read = [state, decision, erasure, lane, batch, quarantine]

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

    /// Reads a decision number from the next column.
    ///
    /// Returns `UInt64.max`, which counts as damage, for a negative column.
    mutating func number() -> UInt64 { UInt64(exactly: integer()) ?? .max }

    /// Whether the next column is NULL.
    var isNull: Bool { statement.isNull(column) }

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

    /// Creates an id from 16 bytes.
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

extension UserHash? {
    /// The hash as an integer of the same bits, or 0.
    var column: Int64 { Int64(bitPattern: self?.rawValue ?? 0) }
}

extension DecisionRow {
    private static let defaultPrefix = "default "

    /// The consent as text.
    var consentText: String { (isDefault ? DecisionRow.defaultPrefix : "") + consent.rawValue }

    /// Reads the consent as text.
    ///
    /// Returns `nil` for any other text.
    static func read(consentText text: String) -> (consent: Consent, isDefault: Bool)? {
        let isDefault = text.hasPrefix(defaultPrefix)
        return Consent(rawValue: isDefault ? String(text.dropFirst(defaultPrefix.count)) : text).map { ($0, isDefault) }
    }

    /// The checksum of the row's columns.
    var checksum: UInt32 {
        var checksum = Checksum()
        checksum.add(purpose)
        checksum.add(consentText)
        checksum.add(Int64(clamping: number))
        checksum.add(Int64(clamping: denial))
        return checksum.value
    }
}

extension ErasureRow {
    /// The checksum of the row's columns.
    var checksum: UInt32 {
        var checksum = Checksum()
        checksum.add(Int64(clamping: number))
        checksum.add(user == nil ? "all" : "user")
        checksum.add(user.column)
        return checksum.value
    }
}

extension PrivacyStateRow {
    /// The checksum of the row's columns.
    var checksum: UInt32 {
        var checksum = Checksum()
        checksum.add(Int64(clamping: number))
        checksum.add(Int64(clamping: scrub))
        checksum.add(Int64(decisions))
        checksum.add(Int64(erasures))
        checksum.add(Int64(clamping: followed))
        checksum.add(installation ?? "")
        checksum.add(session?.id ?? "")
        for part in [session?.start.microseconds, session?.number, session?.last.microseconds] {
            checksum.add(part ?? 0)
        }
        return checksum.value
    }
}

extension StoredLane {
    /// The counts of dropped events as text, one line for each reason.
    var droppedText: String {
        ledger.dropped.map { "\($0.key.name)\t\($0.value)" }.sorted().joined(separator: "\n")
    }

    /// The counts of adjusted events as text, one line for each rule.
    var adjustedText: String {
        ledger.adjusted.map { "\($0.key)\t\($0.value)" }.sorted().joined(separator: "\n")
    }

    /// The checksum of a lane's columns.
    var checksum: UInt32 {
        var checksum = Checksum()
        for text in [id.product, id.service, purpose, droppedText, adjustedText, retryState.reasonText, failureText] {
            checksum.add(text)
            checksum.add(Int64(text.utf8.count))
        }
        let numbers = [
            Int64(number), Int64(ledger.accepted), Int64(ledger.delivered), Int64(ledger.quarantined), nextNumber,
            Int64(clamping: void), Int64(counts.bytes), Int64(learnedBodyBytes), retryState.remaining.nanoseconds,
            Int64(retryState.failures), retryState.noted.nanoseconds, Int64(retryState.boot),
            lastSuccess?.microseconds ?? 0,
        ]
        for number in numbers + counts.events.map(Int64.init) { checksum.add(number) }
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
        return checksum.value
    }
}

extension QuarantinedEvent {
    /// The checksum of a quarantined event's columns.
    var checksum: UInt32 {
        var checksum = Checksum()
        checksum.add(id.bytes)
        for text in [lane.product, lane.service, reason, response, key] { checksum.add(text) }
        checksum.add(Int64(clamping: decision))
        checksum.add(user.column)
        checksum.add(time.microseconds)
        checksum.add(fragment)
        return checksum.value
    }
}

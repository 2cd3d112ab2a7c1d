import EventTracking

/// A row of a small table: a key, and a value with all other fields.
///
/// The checksum of a row covers its table, its key and its value.
protocol OutboxRow: Sendable {
    /// The table.
    static var table: RowTable { get }

    /// The key, whose bytes sort as the rows do.
    var rowKey: [UInt8] { get }

    /// Creates a row whose value is not known yet, or returns `nil` if the key is damaged.
    init?(rowKey key: [UInt8])

    /// Writes or reads the fields of the value.
    mutating func code(_ coder: inout RowCoder)

    /// Whether every field is plausible.
    var isPossible: Bool { get }

    /// The row to use if the stored one is damaged, or `nil` if it is left out.
    var damaged: Self? { get }
}

extension OutboxRow {
    var damaged: Self? { nil }

    /// The value in its stored form.
    var rowValue: [UInt8] {
        var (row, coder) = (self, RowCoder())
        row.code(&coder)
        return coder.bytes
    }

    /// Reads a stored row, or returns `nil` if it is damaged.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value.
    ///   - checksum: The checksum of both.
    init?(rowKey key: [UInt8], value: [UInt8], checksum: Int64) {
        guard var row = Self(rowKey: key) else { return nil }
        var coder = RowCoder(reading: value)
        row.code(&coder)
        let isSound = checksum == Self.checksum(key, value) && coder.isComplete && row.isPossible
        guard let read = isSound ? row : row.damaged else { return nil }
        self = read
    }

    /// Returns the checksum of a key and a value.
    static func checksum(_ key: [UInt8], _ value: [UInt8]) -> Int64 {
        var checksum = Checksum()
        checksum.add(table.name)
        checksum.add(key)
        checksum.add(value)
        return Int64(checksum.value)
    }
}

/// A small table of an outbox file, whose rows are read at the opening.
struct RowTable: Sendable, Hashable {
    let name: String
    /// The statement that inserts a row or replaces the row with the same key.
    let replace: String
    /// The statement that deletes the row with a key.
    let delete: String
    /// The statement that deletes the rows between two keys.
    let deleteRange: String
    /// The statement that creates the table.
    let definition: String

    private init(_ name: String, column: String = "") {
        self.name = name
        replace = "INSERT OR REPLACE INTO \(name) (key, value, crc) VALUES (?, ?, ?)"
        delete = "DELETE FROM \(name) WHERE key = ?"
        deleteRange = "DELETE FROM \(name) WHERE key >= ? AND key < ?"
        definition = """
            CREATE TABLE \(name) (
                key BLOB PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL\(column)) WITHOUT ROWID
            """
    }

    /// The table of the state, which also counts barriers: a commit that changes no row would not be one.
    static let state = RowTable("state", column: ", barriers INTEGER NOT NULL DEFAULT 0")
    static let lane = RowTable("lane")
    static let quarantine = RowTable("quarantine")

    static func == (left: RowTable, right: RowTable) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// All small tables.
    static let all = [state, lane, quarantine]
}

/// The key of a row that belongs to a lane: the lane's number, and an id.
///
/// The rows of a lane are a range of keys.
struct LaneKey {
    let lane: Int
    let id: EventID

    init(lane: Int, id: EventID) { (self.lane, self.id) = (lane, id) }

    init?(_ key: [UInt8]) {
        guard let lane = Array(key.prefix(8)).integerKey.flatMap({ Int(exactly: $0) }),
            let id = EventID(bytes: Array(key.dropFirst(8)))
        else { return nil }
        (self.lane, self.id) = (lane, id)
    }

    var bytes: [UInt8] { LaneKey.start(of: lane) + id.bytes }

    /// The first possible key of a lane.
    static func start(of lane: Int) -> [UInt8] { [UInt8](key: UInt64(bitPattern: Int64(lane))) }
}

/// Integers and ids as keys.
extension [UInt8] {
    /// Creates the eight bytes of an integer, which sort as the integers do.
    init(key integer: UInt64) {
        self = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: integer >> $0) }
    }

    /// The integer of a key of eight bytes, or `nil` for any other key.
    var integerKey: UInt64? { count == 8 ? reduce(0) { $0 << 8 | UInt64($1) } : nil }
}

extension EventID {
    /// The 16 bytes as in RFC 9562.
    var bytes: [UInt8] { [UInt8](key: high) + [UInt8](key: low) }

    /// Creates an id from 16 bytes.
    ///
    /// Returns `nil` for any other number of bytes.
    init?(bytes: [UInt8]) {
        guard let high = Array(bytes.prefix(8)).integerKey, let low = Array(bytes.dropFirst(8)).integerKey else {
            return nil
        }
        self.init(high: high, low: low)
    }
}

import CSQLite

/// Reads what is left of a damaged outbox file: each row that still answers, each record whose checksum is right.
///
/// The file has been set aside before; it is never changed for the sake of a result, and never deleted.
struct SQLiteSalvage {
    /// What could be read.
    struct Result: Sendable {
        var lanes: [StoredLane] = []
        var packs: [Pack] = []
        var held: [Pack] = []
        var quarantined: [QuarantinedEvent] = []
    }

    /// Reads a file that was set aside; the mark names the lanes where their table does not.
    static func read(path: String, mark: HighWaterMark?) -> Result {
        var result = Result()
        guard let connection = try? SQLiteConnection(path: path) else { return result }
        defer { connection.close() }
        try? connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA writable_schema = ON;")
        result.lanes = lanes(connection, mark: mark)
        result.packs = packs(connection, table: "pack")
        result.held = packs(connection, table: "held")
        return result
    }

    private static func lanes(_ connection: SQLiteConnection, mark: HighWaterMark?) -> [StoredLane] {
        var lanes: [Int: StoredLane] = [:]
        for lane in mark?.lanes ?? [] { lanes[lane.number] = StoredLane(number: lane.number, id: lane.id) }
        if let statement = try? connection.statement("SELECT number, product, service FROM lane ORDER BY number") {
            defer { statement.reset() }
            while (try? statement.step()) == true {
                let number = Int(truncatingIfNeeded: statement.integer(0))
                let id = LaneID(product: statement.text(1), service: statement.text(2))
                if lanes[number] == nil { lanes[number] = StoredLane(number: number, id: id) }
            }
        }
        return lanes.values.sorted { $0.number < $1.number }
    }

    /// Reads from both ends, so that one damaged page does not hide what lies behind it.
    private static func packs(_ connection: SQLiteConnection, table: String) -> [Pack] {
        var found: [PackPlace: Pack] = [:]
        for order in ["ASC", "DESC"] {
            let sql = """
                SELECT place, priority, wall, monotonic, boot, key, records FROM \(table) ORDER BY place \(order)
                """
            guard let statement = try? connection.statement(sql) else { continue }
            defer { statement.reset() }
            while (try? statement.step()) == true {
                let place = PackPlace(rawValue: statement.integer(0))
                var pack = Pack(
                    place: place,
                    priority: TrackOptions.Priority(rawValue: Int(truncatingIfNeeded: statement.integer(1))) ?? .normal,
                    key: statement.text(5),
                    stored: StoredMoment(
                        wall: Timestamp(microseconds: statement.integer(2)),
                        monotonic: MonotonicInstant(nanoseconds: statement.integer(3)),
                        boot: UInt32(truncatingIfNeeded: statement.integer(4))
                    )
                )
                pack.records = statement.blob(6)
                let sound = pack.replacing(records: pack.read())
                if sound.count > 0, found[place] == nil { found[place] = sound }
            }
        }
        return found.values.sorted { $0.place < $1.place }
    }
}

import CSQLite
import EventDelivery

/// The floor of storing: rows in the engine's own tables, written with SQLite's functions alone.
///
/// It has the pragmas of the engine's connection. It computes no checksums and checks no limits.
@safe
final class BareDatabase {
    private static let settings = """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        PRAGMA wal_autocheckpoint = 0; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = FAST;
        PRAGMA cell_size_check = ON; PRAGMA cache_size = -2048;
        """
    private static let insertion = """
        INSERT INTO segment (place, decision, priority, count, bytes, wall, monotonic, boot, user, key, crc, records)
        VALUES (?, 1, 1, ?, ?, ?, ?, 1, 0, ?, 1, ?)
        """
    /// The number of commits and bytes between two checkpoints, as in the engine.
    private static let checkpointInterval = (commits: 256, bytes: 2_000_000)

    private let handle: OpaquePointer
    private let insert: OpaquePointer
    private let update: OpaquePointer
    private var sinceCheckpoint = (commits: 0, bytes: 0)
    private var rows: Int64 = 0

    /// Opens a queue file closed by an engine, and removes its events.
    init(queue path: String) throws {
        var handle: OpaquePointer?
        guard unsafe sqlite3_open(path, &handle) == SQLITE_OK, let handle = unsafe handle else {
            throw BenchmarkError("\(path) cannot be opened")
        }
        unsafe self.handle = handle
        try unsafe BareDatabase.execute(BareDatabase.settings + "DELETE FROM segment; VACUUM", on: handle)
        unsafe insert = try unsafe BareDatabase.statement(BareDatabase.insertion, on: handle)
        // The size of a lane's row with its usual texts.
        let counts = "UPDATE lane SET value = zeroblob(80 + ? % 8), crc = ? WHERE key = ?"
        unsafe update = try unsafe BareDatabase.statement(counts, on: handle)
    }

    deinit {
        unsafe sqlite3_finalize(insert)
        unsafe sqlite3_finalize(update)
        unsafe sqlite3_close(handle)
    }

    /// Stores the rows of a group and the counts of its lanes in one transaction.
    ///
    /// - Parameters:
    ///   - lanes: The bodies of each lane's rows, and the number of events in a full row.
    ///   - time: The time of the group.
    func store(_ lanes: [(rows: [[UInt8]], size: Int)], time: Timestamp) throws {
        try unsafe BareDatabase.execute("BEGIN IMMEDIATE", on: handle)
        for (lane, group) in lanes.enumerated() {
            var stored = 0
            for records in group.rows {
                rows += 1
                stored += records.count
                try append(records, place: Int64(lane + 1) << 40 | rows, count: group.size, time: time)
            }
            unsafe sqlite3_bind_int64(update, 1, rows)
            unsafe sqlite3_bind_int64(update, 2, Int64(stored))
            _ = unsafe ([0, 0, 0, 0, 0, 0, 0, UInt8(lane + 1)] as [UInt8]).withUnsafeBytes {
                unsafe csqlite_bind_blob(update, 3, $0.baseAddress, Int32($0.count))
            }
            try unsafe run(update)
            sinceCheckpoint.bytes += stored
        }
        try unsafe BareDatabase.execute("COMMIT", on: handle)
        sinceCheckpoint.commits += 1
        let interval = BareDatabase.checkpointInterval
        guard sinceCheckpoint.commits >= interval.commits || sinceCheckpoint.bytes >= interval.bytes else { return }
        sinceCheckpoint = (0, 0)
        try unsafe BareDatabase.execute("PRAGMA wal_checkpoint(PASSIVE)", on: handle)
    }

    /// Makes all rows survive a power loss.
    func makeBarrier() throws {
        let barrier = "PRAGMA synchronous = FULL; UPDATE state SET barriers = barriers + 1"
        try unsafe BareDatabase.execute(barrier, on: handle)
    }

    private func append(_ records: [UInt8], place: Int64, count: Int, time: Timestamp) throws {
        unsafe sqlite3_bind_int64(insert, 1, place)
        unsafe sqlite3_bind_int64(insert, 2, Int64(count))
        unsafe sqlite3_bind_int64(insert, 3, Int64(records.count))
        unsafe sqlite3_bind_int64(insert, 4, time.microseconds)
        unsafe sqlite3_bind_int64(insert, 5, time.microseconds)
        _ = unsafe csqlite_bind_text(insert, 6, "", 0)
        _ = unsafe records.withUnsafeBytes {
            unsafe csqlite_bind_blob(insert, 7, $0.baseAddress, Int32($0.count))
        }
        try unsafe run(insert)
    }

    private func run(_ statement: OpaquePointer) throws {
        guard unsafe sqlite3_step(statement) == SQLITE_DONE else { throw BenchmarkError("SQLite has refused a row") }
        unsafe sqlite3_reset(statement)
    }

    private static func execute(_ sql: String, on handle: OpaquePointer) throws {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchmarkError("SQLite has refused: \(sql)")
        }
    }

    private static func statement(_ sql: String, on handle: OpaquePointer) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
            let statement = unsafe statement
        else {
            throw BenchmarkError("SQLite has refused: \(sql)")
        }
        return unsafe statement
    }
}

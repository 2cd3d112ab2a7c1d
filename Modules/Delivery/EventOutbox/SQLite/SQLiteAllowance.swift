import CSQLite
import EventDeliveryAPI

/// A limit on the cost of one statement.
///
/// Reading a crafted file could otherwise never end or need all memory.
///
/// No row is stored twice, and each instruction reads something. So reading a valid file needs at most as many bytes
/// and instructions as the file has bytes.
final class SQLiteAllowance {
    /// The limits of a connection, and how often they are checked.
    struct Limits {
        /// The number of instructions between two checks.
        let interval: Int32
        /// The maximum size of a text, blob or row in bytes.
        let length: Int32
        /// The maximum size of SQL in bytes, including the tables' definitions in the file.
        let sql: Int32
        /// The number of instructions and bytes allowed for any file size.
        let base: Int
        /// Whether the file's size is added to ``base``.
        let growsWithFile: Bool
    }

    /// The limits for reading the layout of an unchecked file: about ten rows of less than 1,000 bytes.
    static let layout = Limits(interval: 1_000, length: 65_536, sql: 16_384, base: 20_000, growsWithFile: false)
    /// The limits for reading and writing rows.
    static let rows = Limits(
        interval: 1_000_000,
        length: 64_000_000,
        sql: 16_384,
        base: 16_000_000,
        growsWithFile: true
    )

    /// No limits, for a database in memory, which no one else writes.
    private static let memory = Limits(interval: 0, length: 0, sql: 0, base: .max, growsWithFile: false)

    private let path: String
    private var limits: Limits
    private var instructions = 0
    private var bytes = 0

    /// Creates the limits of a file, or of a database in memory if there is no path.
    init(path: String?) {
        self.path = path ?? ""
        limits = path == nil ? SQLiteAllowance.memory : SQLiteAllowance.layout
    }

    /// Applies limits to a connection.
    func apply(_ limits: Limits, to handle: OpaquePointer) {
        self.limits = limits
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, limits.length)
        sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, limits.sql)
        sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, 64)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_progress_handler(
            handle,
            limits.interval,
            { context in
                guard let context else { return 0 }
                return Unmanaged<SQLiteAllowance>.fromOpaque(context).takeUnretainedValue().countInstructions()
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        begin()
    }

    /// Resets the counts at the beginning of a statement.
    func begin() {
        (instructions, bytes) = (0, 0)
    }

    func count(_ bytes: Int) {
        self.bytes = self.bytes.saturatingAdd(bytes)
    }

    /// Whether more bytes were read than the limits allow.
    var isExceeded: Bool { bytes > limits.base && bytes > allowed }

    /// Counts the instructions of an interval.
    ///
    /// Returns 1 if the statement must end.
    private func countInstructions() -> Int32 {
        instructions = instructions.saturatingAdd(Int(limits.interval))
        return instructions > limits.base && instructions > allowed ? 1 : 0
    }

    private var allowed: Int {
        guard limits.growsWithFile else { return limits.base }
        return limits.base.saturatingAdd(OutboxDirectory.size(path)).saturatingAdd(OutboxDirectory.size(path + "-wal"))
    }
}

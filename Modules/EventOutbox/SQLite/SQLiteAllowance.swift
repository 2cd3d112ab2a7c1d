import CSQLite
import EventBuffer

/// What one statement may cost: a file can be made so that reading it never ends, or needs all memory.
///
/// No row is stored twice and each instruction reads something, so reading a sound file takes no more bytes than it
/// has, and no more instructions either.
final class SQLiteAllowance {
    /// How much is allowed, and how often the instructions are looked at.
    struct Limits {
        /// Instructions between two looks.
        let interval: Int32
        /// The longest text, blob or row.
        let length: Int32
        /// The longest SQL, also that of a table in the file.
        let sql: Int32
        /// Instructions and bytes that are allowed whatever the size of the file.
        let base: Int
        /// Whether as many more are allowed as the file has bytes.
        let growsWithFile: Bool
    }

    /// For reading the layout of a file, before anything is known of it: some ten rows of less than 1,000 bytes.
    static let layout = Limits(interval: 1_000, length: 65_536, sql: 16_384, base: 20_000, growsWithFile: false)
    /// For reading and writing its rows.
    static let rows = Limits(
        interval: 1_000_000,
        length: 64_000_000,
        sql: 16_384,
        base: 16_000_000,
        growsWithFile: true
    )

    private let path: String
    private var limits = SQLiteAllowance.layout
    private var instructions = 0
    private var bytes = 0

    init(path: String) {
        self.path = path
    }

    /// Puts limits on a connection.
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

    /// Begins a statement.
    func begin() {
        (instructions, bytes) = (0, 0)
    }

    /// Counts bytes that were read.
    func count(_ bytes: Int) {
        self.bytes = self.bytes.saturatingAdd(bytes)
    }

    /// Whether more bytes were read than there can be.
    var isExceeded: Bool { bytes > limits.base && bytes > allowed }

    /// Counts the instructions of an interval; answers whether the statement has to end.
    private func countInstructions() -> Int32 {
        instructions = instructions.saturatingAdd(Int(limits.interval))
        return instructions > limits.base && instructions > allowed ? 1 : 0
    }

    private var allowed: Int {
        guard limits.growsWithFile else { return limits.base }
        return limits.base.saturatingAdd(OutboxDirectory.size(path)).saturatingAdd(OutboxDirectory.size(path + "-wal"))
    }
}

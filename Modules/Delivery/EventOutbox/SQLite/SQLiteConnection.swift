import CLibrary
import CSQLite
import EventTracking

/// A connection to an SQLite file, for use on one executor.
///
/// There is never a second connection to the same file. SQLite versions 3.7.0–3.51.2 can corrupt a WAL that two
/// connections write and checkpoint at the same time. The connection holds an exclusive lock on the file.
final class SQLiteConnection {
    /// The SQLite handle.
    let handle: OpaquePointer
    /// The maximum size of a text, a blob or a row in bytes.
    ///
    /// A longer value in a file is damage, and is not loaded into memory.
    static let maximumLength = 64_000_000
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens an existing file, which this user must have created with the required permissions.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - forSalvage: Whether to read a file with a damaged schema as far as possible.
    /// - Throws: `OutboxError.foreign` if it is not a regular file of this user, or the storage error.
    init(path: String, forSalvage: Bool = false) throws(OutboxError) {
        // A pipe must not be opened, so the status is checked before and after opening.
        try OwnFile.claim(path)
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw SQLiteConnection.error(code, of: handle)
        }
        self.handle = handle
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(SQLiteConnection.maximumLength))
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 0)
        _ = csqlite_set_defensive(handle, forSalvage ? 0 : 1)
        // Closing does not change the file until it is known to belong to this library.
        keepsFileOnClose = true
        let trait = FileStatus(at: path)?.foreignTrait(S_IFREG)
        guard trait == nil, !hasMoved else {
            close()
            throw trait.map(OutboxError.foreign) ?? .busy
        }
        if forSalvage { try? execute("PRAGMA writable_schema = ON") }
    }

    /// Opens an empty database in memory.
    ///
    /// - Throws: The storage error if there is no memory.
    init() throws(OutboxError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw SQLiteConnection.error(code, of: nil)
        }
        self.handle = handle
    }

    /// Whether closing keeps the WAL and the file unchanged.
    var keepsFileOnClose = false {
        didSet { _ = csqlite_set_no_checkpoint_on_close(handle, keepsFileOnClose ? 1 : 0) }
    }

    /// Whether the file was deleted, moved or replaced since it was opened.
    var hasMoved: Bool {
        var result: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &result) == SQLITE_OK && result != 0
    }

    /// Runs statements and ignores their rows.
    func execute(_ sql: String) throws(OutboxError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteConnection.error(code, of: handle) }
    }

    /// Returns a prepared statement, which is cached by its text.
    ///
    /// - Parameter sql: The statement's text.
    /// - Throws: The storage error.
    func statement(_ sql: String) throws(OutboxError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try SQLiteStatement(sql, on: handle)
        statements[sql] = statement
        return statement
    }

    /// Returns the integer in the first column of a query's first row, or 0.
    func integer(_ sql: String) throws(OutboxError) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Runs a block in one transaction.
    ///
    /// Any error rolls everything back.
    func transaction(_ block: () throws(OutboxError) -> Void) throws(OutboxError) {
        // SQLite parses a prepared statement only once.
        try statement("BEGIN IMMEDIATE").run()
        do throws(OutboxError) {
            try block()
            try statement("COMMIT").run()
        } catch {
            // A failed COMMIT leaves the transaction open unless SQLite has rolled it back itself.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Makes all earlier transactions survive a power loss, without writing anything.
    func syncLog() throws(OutboxError) {
        let code = csqlite_sync_log(handle)
        guard code == SQLITE_OK else { throw SQLiteConnection.error(code, of: handle) }
    }

    /// Returns the number of pages that transactions have written since the count began.
    ///
    /// - Parameter startingOver: Whether the count begins again.
    @discardableResult
    func writtenPages(startingOver: Bool = false) -> Int {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, startingOver ? 1 : 0)
        return Int(count)
    }

    /// Finalizes all statements, and closes the connection.
    func close() {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Returns the outbox error for an SQLite result code.
    static func error(_ code: Int32, of connection: OpaquePointer?) -> OutboxError {
        switch code & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        // A device error does not mean that the file is damaged.
        case SQLITE_CORRUPT where connection.map { csqlite_device_failed($0) != 0 } == true: .failed(code: SQLITE_IOERR)
        // A value longer than any written one is also damage.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_TOOBIG: .corrupt
        case SQLITE_IOERR where code == SQLITE_IOERR | (15 << 8): .notLockable(code: systemError(of: connection))
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .unavailable(code: systemError(of: connection))
        default: .failed(code: code)
        }
    }

    /// Returns the `errno` for which a file could not be opened or written.
    private static func systemError(of connection: OpaquePointer?) -> Int32 {
        let code = connection.map { sqlite3_system_errno($0) } ?? 0
        return code == 0 ? EACCES : code
    }
}

/// A prepared statement.
///
/// Every use ends with ``reset()``, so no statement keeps a transaction open.
final class SQLiteStatement {
    private let handle: OpaquePointer

    init(_ sql: String, on connection: OpaquePointer) throws(OutboxError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteConnection.error(code, of: connection) }
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds values to the parameters from 1 on, runs the statement to its end and resets it.
    func run(_ values: SQLiteValue...) throws(OutboxError) {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Binds values to the parameters from 1 on.
    func bind(_ values: [SQLiteValue]) throws(OutboxError) {
        // An oversized row is not a fault of the file.
        guard values.reduce(0, { $0 + $1.size }) < SQLiteConnection.maximumLength / 2 else {
            throw .failed(code: SQLITE_TOOBIG)
        }
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(handle, index, number)
                case .text(let text): bind(text, at: index)
                case .blob(let bytes): bind(bytes, at: index)
                }
            guard code == SQLITE_OK else { throw SQLiteConnection.error(code, of: sqlite3_db_handle(handle)) }
        }
    }

    /// Moves to the next row.
    ///
    /// Returns `false` at the end.
    func step() throws(OutboxError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteConnection.error(code, of: sqlite3_db_handle(handle))
        }
    }

    /// Resets the statement and its bindings for the next use.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Returns the integer in a column of the current row.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Returns the text in a column of the current row.
    func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// Returns the bytes in a column of the current row.
    func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                // An empty buffer has no address, and a missing address would bind NULL.
                guard let address = characters.baseAddress else { return csqlite_bind_text(handle, index, "", 0) }
                return csqlite_bind_text(handle, index, address, Int32(characters.count))
            }
        }
    }

    private func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            guard let address = buffer.baseAddress, !buffer.isEmpty else {
                return sqlite3_bind_zeroblob(handle, index, 0)
            }
            return csqlite_bind_blob(handle, index, address, Int32(buffer.count))
        }
    }
}

/// An SQLite value of a type that this library uses.
enum SQLiteValue {
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// The size of a text or a blob in bytes.
    var size: Int {
        switch self {
        case .integer: 0
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

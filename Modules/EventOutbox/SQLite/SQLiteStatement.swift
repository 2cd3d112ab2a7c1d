import CSQLite

/// A prepared statement.
///
/// Every use ends with `reset`, so that no statement stays open and keeps a transaction alive.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let allowance: SQLiteAllowance

    init(_ sql: String, on connection: OpaquePointer, _ allowance: SQLiteAllowance) throws(OutboxError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteConnection.error(code, of: connection) }
        self.handle = handle
        self.allowance = allowance
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds values to the parameters from 1 on, runs the statement to its end and resets it.
    func run(_ values: SQLiteValue...) throws(OutboxError) { try run(values) }

    /// Binds values to the parameters from 1 on, runs the statement to its end and resets it.
    func run(_ values: [SQLiteValue]) throws(OutboxError) {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Binds values to the parameters from 1 on.
    func bind(_ values: [SQLiteValue]) throws(OutboxError) {
        // A row that is too large for a file is no fault of the file.
        guard values.reduce(0, { $0 + $1.size }) < Int(SQLiteAllowance.rows.length) / 2 else {
            throw .failed(code: SQLITE_TOOBIG)
        }
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(handle, index, number)
                case .text(let text): bind(text, at: index)
                case .blob(let bytes): bind(bytes, at: index)
                case .null: sqlite3_bind_null(handle, index)
                }
            guard code == SQLITE_OK else { throw SQLiteConnection.error(code, of: sqlite3_db_handle(handle)) }
        }
    }

    /// Moves to the next row; `false` at the end.
    func step() throws(OutboxError) -> Bool {
        guard !allowance.isExceeded else { throw .corrupt }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteConnection.error(code, of: sqlite3_db_handle(handle))
        }
    }

    /// Makes the statement ready for the next use and forgets its values.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// The integer in a column of the current row.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The text in a column of the current row.
    func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        allowance.count(count)
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// The bytes in a column of the current row.
    func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        allowance.count(count)
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

/// A value of SQLite, as this library uses them.
enum SQLiteValue {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case null

    /// The bytes of a text or a blob.
    var size: Int {
        switch self {
        case .integer, .null: 0
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

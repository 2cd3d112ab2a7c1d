import CSQLite
import EventDeliveryTesting
import Testing

@testable import EventOutbox

/// Access to the rows of a queue file that no outbox has open.
extension TemporaryQueue {
    /// Runs statements without the library's checks, as any program can.
    func execute(_ sql: String) throws {
        var handle: OpaquePointer?
        defer { unsafe sqlite3_close(handle) }
        try #require(unsafe sqlite3_open(path, &handle) == SQLITE_OK)
        let code = unsafe sqlite3_exec(handle, "BEGIN; \(sql); COMMIT", nil, nil, nil)
        let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? ""
        try #require(code == SQLITE_OK, "\(message)")
    }

    /// Replaces the value of a row, which keeps the checksum of its old value.
    func forge<Row: OutboxRow>(_ row: Row) throws {
        try read { file in
            try file.connection.statement("UPDATE \(Row.table.name) SET value = ? WHERE key = ?").run(
                .blob(row.rowValue),
                .blob(row.rowKey)
            )
        }
    }

    /// Writes a change to the queue file, which is created if necessary.
    func commit(_ change: OutboxChange) throws {
        let file = hasQueue ? try SQLiteOutbox(path: path) : try outbox()
        defer { file.close() }
        try file.commit(change, barrier: true)
    }

    /// Writes a change filled by a block.
    func commit(_ fill: (inout OutboxChange) -> Void) throws {
        var change = OutboxChange()
        fill(&change)
        try commit(change)
    }

    /// Opens the queue file, and runs a block on it.
    func read<Result>(_ body: (SQLiteOutbox) throws -> Result) throws -> Result {
        let file = try SQLiteOutbox(path: path)
        defer { file.close() }
        return try body(file)
    }

    /// Reads all rows except the segments, as an opening does.
    func rows() throws -> OutboxRows {
        try read { try OutboxRows(of: $0, completedBy: DurabilityCheckpoint(queue: path)) }
    }

    /// Reads all segments.
    func segments() throws -> [Segment] {
        try read { file in
            try file.summaries(lane: nil, after: nil, limit: .max).compactMap { try file.segment(at: $0.place) }
        }
    }
}

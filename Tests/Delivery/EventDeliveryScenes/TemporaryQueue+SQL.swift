import EventDeliveryTesting
import Foundation

@testable import EventOutbox

extension SQLiteConnection {
    /// Replaces the value of a row, which keeps the checksum of its old value.
    func forge<Row: OutboxRow>(_ row: Row) throws {
        try statement("UPDATE \(Row.table.name) SET value = ? WHERE key = ?").run(
            .blob(row.rowValue),
            .blob(row.rowKey)
        )
    }
}

/// Access to the rows of a queue file.
extension TemporaryQueue {
    /// Runs a statement on a file that no engine has open.
    func execute(_ statement: String) throws {
        let connection = try SQLiteConnection(path: path)
        try connection.execute(statement)
        connection.close()
    }

    /// Reads all rows except the segments.
    ///
    /// For the rows of an open engine, call this on a copy.
    func rows() throws -> OutboxRows {
        let file = try SQLiteOutbox(path: path)
        defer { file.close() }
        return try OutboxRows(of: file, completedBy: nil)
    }

    /// Changes rows of a file that no engine has open, with valid checksums.
    func commit(_ change: OutboxChange) throws {
        let file = try SQLiteOutbox(path: path)
        defer { file.close() }
        try file.commit(change, barrier: true)
    }

    /// Replaces the value of a row, which keeps the checksum of its old value.
    func forge(_ row: some OutboxRow) throws {
        let connection = try SQLiteConnection(path: path)
        defer { connection.close() }
        try connection.forge(row)
    }

    /// The installation id in the queue file of an open engine's directory.
    static func installation(in directory: URL) throws -> String? {
        try TemporaryQueue(copying: directory).rows().state?.installation
    }

    /// Whether a directory has a queue file.
    static func hasQueue(in directory: URL) -> Bool { FileStatus.isRegular(at: path(in: directory)) }

    /// The size of a file in bytes, or 0 if there is none.
    static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }
}

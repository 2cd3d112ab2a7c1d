import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct SQLiteSchemaTests {
    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test func `an empty file gets the identification and the version, and is not changed by the next opening`() throws
    {
        let path = try queue.makeFile()
        for _ in 1...2 {
            let connection = try SQLiteConnection(path: path)
            try SQLiteSchema.prepare(connection, pageSize: 4_096)
            #expect(try connection.integer("PRAGMA application_id") == SQLiteSchema.applicationID)
            #expect(try connection.integer("PRAGMA user_version") == SQLiteSchema.version)
            connection.close()
        }
    }

    @Test(arguments: [2_048, 4_096])
    func `only a new file gets the size of pages`(size: Int) throws {
        let path = try queue.makeFile()

        for pageSize in [size, 8_192] {
            let outbox = try SQLiteOutbox(path: path, pageSize: pageSize)
            #expect(try outbox.connection.integer("PRAGMA page_size") == Int64(size))
            outbox.close()
        }
    }

    @Test(arguments: [
        ("fullfsync", 1), ("checkpoint_fullfsync", 1), ("secure_delete", 2), ("auto_vacuum", 2),
        ("wal_autocheckpoint", 0),
    ])
    func `a connection syncs the drive's cache on Apple platforms, and overwrites deleted rows`(
        setting: String,
        value: Int64
    ) throws {
        let connection = try SQLiteConnection(path: queue.makeFile())

        try SQLiteSchema.prepare(connection, pageSize: 4_096)

        #expect(try connection.integer("PRAGMA \(setting)") == value)
        connection.close()
    }

    @Test(arguments: [
        ("CREATE TABLE t (a)", OutboxError.corrupt),
        ("PRAGMA application_id = 1", .corrupt),
        ("PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = 2", .olderVersion(2)),
        ("PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = 99", .newerVersion(99)),
        ("PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = -1", .corrupt),
    ])
    func `a file of another program or version stays unchanged`(sql: String, error: OutboxError) throws {
        let path = try queue.makeFile()
        let other = try SQLiteConnection(path: path)
        try other.execute(sql)
        other.close()
        let bytes = try Data(contentsOf: URL(filePath: path))

        #expect(throws: error) { try SQLiteOutbox(path: path) }

        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        #expect(queue.files == ["queue.db"])
    }

    @Test(arguments: [
        "DROP TABLE lane", "CREATE VIEW other AS SELECT 1", "CREATE INDEX other ON segment (key)",
        "CREATE TRIGGER other AFTER INSERT ON segment BEGIN DELETE FROM segment; END",
        "ALTER TABLE segment ADD COLUMN other AS (place + 1)",
    ])
    func `a file with another layout is damaged`(sql: String) throws {
        try queue.commit(OutboxChange())
        try queue.execute(sql)

        #expect(throws: OutboxError.corrupt) { try SQLiteOutbox(path: queue.path) }
    }

    @Test func `a file that another connection has open is busy`() throws {
        let owner = try queue.outbox()

        #expect(throws: OutboxError.busy) { try SQLiteOutbox(path: queue.path) }
        owner.close()

        try SQLiteOutbox(path: queue.path).close()
    }
}

import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct SQLiteSchemaTests {
    @Test func `an empty file gets the marks and the current version, and is taken as it is the next time`() throws {
        let directory = try TemporaryQueue()
        let path = try directory.makeFile()
        for _ in 1...2 {
            let connection = try SQLiteConnection(path: path)
            try SQLiteSchema.prepare(connection)
            #expect(try connection.integer("PRAGMA application_id") == SQLiteSchema.applicationID)
            #expect(try connection.integer("PRAGMA user_version") == Int64(SQLiteSchema.steps.count))
            connection.close()
        }
    }

    @Test(arguments: ["fullfsync", "checkpoint_fullfsync"])
    func `a sync on Apple platforms reaches the drive and keeps the order of what it holds`(setting: String) throws {
        let directory = try TemporaryQueue()
        let connection = try SQLiteConnection(path: directory.makeFile())

        try SQLiteSchema.prepare(connection)

        #expect(try connection.integer("PRAGMA \(setting)") == 1)
        connection.close()
    }

    @Test func `an older file takes the steps that it lacks`() throws {
        let directory = try TemporaryQueue()
        let path = try directory.makeFile()
        let old = try SQLiteConnection(path: path)
        try SQLiteSchema.prepare(old)
        old.close()

        let connection = try SQLiteConnection(path: path)
        try SQLiteSchema.prepare(connection, steps: SQLiteSchema.steps + ["CREATE TABLE later (a)"])

        #expect(try connection.integer("PRAGMA user_version") == Int64(SQLiteSchema.steps.count + 1))
        #expect(try connection.integer("SELECT count(*) FROM later") == 0)
        connection.close()
    }

    @Test(arguments: [
        ("CREATE TABLE t (a)", OutboxError.corrupt),
        ("PRAGMA application_id = 1", .corrupt),
        ("PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = 99", .newerVersion(99)),
    ])
    func `somebody else's file and a newer one are left as they are`(sql: String, error: OutboxError) throws {
        let directory = try TemporaryQueue()
        let path = try directory.makeFile()
        let other = try SQLiteConnection(path: path)
        try other.execute(sql)
        other.close()
        let bytes = try Data(contentsOf: URL(filePath: path))

        let connection = try SQLiteConnection(path: path)
        #expect(throws: error) { try SQLiteSchema.prepare(connection) }
        connection.close()

        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test func `a file that somebody else has open is busy`() throws {
        let directory = try TemporaryQueue()
        let path = try directory.makeFile()
        let owner = try SQLiteConnection(path: path)
        try SQLiteSchema.prepare(owner)

        let second = try SQLiteConnection(path: path)

        #expect(throws: OutboxError.busy) { try SQLiteSchema.prepare(second) }
        second.close()
        owner.close()
    }
}

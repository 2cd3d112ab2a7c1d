import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct SQLiteSchemaTests {
    @Test func `an empty file gets the marks and the current version, and is taken as it is the next time`() throws {
        let directory = try TemporaryQueue()
        let path = try OutboxDirectory(directory.url).makeQueue(id: "1")
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
        let connection = try SQLiteConnection(path: OutboxDirectory(directory.url).makeQueue(id: "1"))

        try SQLiteSchema.prepare(connection)

        #expect(try connection.integer("PRAGMA \(setting)") == 1)
        connection.close()
    }

    @Test func `an older file takes the steps that it lacks`() throws {
        let directory = try TemporaryQueue()
        let path = try OutboxDirectory(directory.url).makeQueue(id: "1")
        let old = try SQLiteConnection(path: path)
        try SQLiteSchema.prepare(old)
        old.close()

        let connection = try SQLiteConnection(path: path)
        try SQLiteSchema.prepare(connection, steps: SQLiteSchema.steps + ["CREATE TABLE later (a)"])

        #expect(try connection.integer("PRAGMA user_version") == Int64(SQLiteSchema.steps.count + 1))
        #expect(try connection.integer("SELECT count(*) FROM later") == 0)
        connection.close()
    }

    @Test func `a file of version 1 is brought to this one with everything that it holds`() throws {
        let queue = try TemporaryQueue()
        let path = queue.url.appending(path: "queue-version-1.db")
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        try FileManager.default.copyItem(at: fixtures.appending(path: "queue-version-1.db"), to: path)

        let salvaged = try SQLiteSalvage.read(path: path.path, mark: nil)
        let orphan = try Orphan(path: path.path, directory: OutboxDirectory(queue.url))
        let contents = try OutboxContents(of: orphan.outbox, lanes: orphan.lanes.map(\.stored))

        #expect(try orphan.outbox.connection.integer("PRAGMA user_version") == 3)
        #expect(contents.pendingEvents == 6)
        #expect(contents.losses.isEmpty)
        #expect(contents.held.map(\.count) == [2])
        #expect(contents.batches.map(\.attempts) == [2])
        #expect(contents.quarantined.map(\.answer) == ["no such name"])
        #expect(contents.lanes.map(\.gate.reason) == ["credentials", ""])
        #expect(contents.lanes.map(\.purpose) == ["", ""])
        #expect(orphan.adoptions == ["queue-0.db"])
        #expect(salvaged.packs == contents.packs)
        #expect(salvaged.lanes.sorted { $0.number < $1.number } == contents.lanes)
        orphan.outbox.close()
    }

    @Test(arguments: [
        ("CREATE TABLE t (a)", OutboxError.corrupt),
        ("PRAGMA application_id = 1", .corrupt),
        ("PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = 99", .newerVersion(99)),
    ])
    func `somebody else's file and a newer one are left as they are`(sql: String, error: OutboxError) throws {
        let directory = try TemporaryQueue()
        let path = try OutboxDirectory(directory.url).makeQueue(id: "1")
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
        let path = try OutboxDirectory(directory.url).makeQueue(id: "1")
        let owner = try SQLiteConnection(path: path)
        try SQLiteSchema.prepare(owner)

        let second = try SQLiteConnection(path: path)

        #expect(throws: OutboxError.busy) { try SQLiteSchema.prepare(second) }
        second.close()
        owner.close()
    }
}

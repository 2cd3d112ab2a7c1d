import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct SQLiteStatementTests {
    @Test(arguments: ["", "a", "a\0b", "\"'; DROP TABLE t; --", "👩‍👩‍👧‍👦"])
    func `a text is read as it was stored`(text: String) throws {
        let directory = try TemporaryQueue()
        let connection = try connection(in: directory)

        try connection.statement("INSERT INTO t (a) VALUES (?)").run(.text(text))

        let statement = try connection.statement("SELECT a, typeof(a) FROM t")
        #expect(try statement.step())
        #expect(statement.text(0) == text)
        #expect(statement.text(1) == "text")
        statement.reset()
        connection.close()
    }

    @Test(arguments: [[], [0], [0, 255, 0]] as [[UInt8]])
    func `bytes are read as they were stored`(bytes: [UInt8]) throws {
        let directory = try TemporaryQueue()
        let connection = try connection(in: directory)

        try connection.statement("INSERT INTO t (a) VALUES (?)").run(.blob(bytes))

        let statement = try connection.statement("SELECT a, typeof(a) FROM t")
        #expect(try statement.step())
        #expect(statement.blob(0) == bytes)
        #expect(statement.text(1) == "blob")
        statement.reset()
        connection.close()
    }

    @Test func `integers are exact`() throws {
        let directory = try TemporaryQueue()
        let connection = try connection(in: directory)
        let insert = try connection.statement("INSERT INTO t (a) VALUES (?)")

        for value in [Int64.min, -1, Int64.max] { try insert.run(.integer(value)) }

        #expect(try connection.integer("SELECT min(a) FROM t") == .min)
        #expect(try connection.integer("SELECT max(a) FROM t") == .max)
        connection.close()
    }

    @Test func `the values of a run are reset before the next one`() throws {
        let directory = try TemporaryQueue()
        let connection = try connection(in: directory)
        let insert = try connection.statement("INSERT INTO t (a) VALUES (?)")

        try insert.run(.integer(1))
        try insert.run()

        #expect(try connection.integer("SELECT count(*) FROM t WHERE a IS NULL") == 1)
        #expect(throws: OutboxError.failed(code: 25)) { try insert.run(.integer(1), .integer(2)) }
        connection.close()
    }

    private func connection(in directory: TemporaryQueue) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: directory.makeFile())
        try connection.execute("CREATE TABLE t (a)")
        return connection
    }
}

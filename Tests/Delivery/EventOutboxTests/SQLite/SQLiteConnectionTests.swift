import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct SQLiteConnectionTests {
    @Test func `a transaction whose block throws changes nothing`() throws {
        let directory = try TemporaryQueue()
        let connection = try open(directory)
        try connection.execute("CREATE TABLE t (a INTEGER)")

        #expect(throws: OutboxError.full) {
            try connection.transaction { () throws(OutboxError) in
                try connection.execute("INSERT INTO t VALUES (1)")
                throw .full
            }
        }

        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        try connection.transaction { () throws(OutboxError) in try connection.execute("INSERT INTO t VALUES (2)") }
        #expect(try connection.integer("SELECT a FROM t") == 2)
        connection.close()
    }

    @Test func `a query without a row returns 0, and wrong SQL throws an error`() throws {
        let directory = try TemporaryQueue()
        let connection = try open(directory)

        #expect(try connection.integer("SELECT 1 WHERE 0") == 0)
        #expect(throws: OutboxError.failed(code: 1)) { try connection.execute("CREATE NONSENSE") }
        #expect(throws: OutboxError.failed(code: 1)) { try connection.statement("SELECT * FROM nothing") }
        connection.close()
    }

    @Test func `a connection notices that its file was moved`() throws {
        let directory = try TemporaryQueue()
        let connection = try open(directory)
        try connection.execute("CREATE TABLE t (a INTEGER)")
        let path = directory.path

        #expect(!connection.hasMoved)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        #expect(connection.hasMoved)
        connection.close()
    }

    @Test func `a file that does not exist is not created`() throws {
        let directory = try TemporaryQueue()
        let path = directory.url.appending(path: "none.db").path

        #expect(throws: OutboxError.unavailable(code: ENOENT)) { try SQLiteConnection(path: path) }
        #expect(directory.files.isEmpty)
    }

    // Result codes of SQLite; the upper bytes of an extended one do not count.
    @Test(arguments: [
        (Int32(13), OutboxError.full), (5, .busy), (6, .busy), (261, .busy), (11, .corrupt), (26, .corrupt),
        (14, .unavailable(code: EACCES)), (8, .unavailable(code: EACCES)), (1034, .failed(code: 1034)),
        (1, .failed(code: 1)),
    ])
    func `each result code has an error of the outbox`(code: Int32, error: OutboxError) {
        #expect(unsafe SQLiteConnection.error(code, of: nil) == error)
    }

    private func open(_ directory: TemporaryQueue) throws -> SQLiteConnection {
        try SQLiteConnection(path: directory.makeFile())
    }
}

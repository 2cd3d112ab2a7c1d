import CSQLite
import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct SQLiteOutboxTests {
    @Test func `it keeps the contract of outboxes`() throws {
        let directory = try TemporaryQueue()
        let outbox = try directory.outbox()

        try OutboxContract.check(outbox)
    }

    @Test func `F59 random sequences of changes leave it in the same state as memory`() throws {
        let directory = try TemporaryQueue()
        let outbox = try directory.outbox()
        let model = InMemoryOutbox()
        var random = SeededGenerator(seed: 59)

        for number in 1...10_000 {
            var sequence = OutboxSequence(lane: number % 8 + 1)
            for _ in 1...5 {
                let change = sequence.change(using: &random)
                try outbox.commit(change, barrier: false)
                model.commit(change, barrier: false)
            }
            try sequence.expectEqual(outbox, model)
            try outbox.commit(sequence.ending, barrier: false)
            model.commit(sequence.ending, barrier: false)
            #expect(try outbox.usage(lane: sequence.lane) == LaneUsage())
        }
    }

    @Test func `few large commits do not make the log grow without bound, and it is cut afterwards`() throws {
        let directory = try TemporaryQueue()
        let outbox = try directory.outbox()
        let log = directory.path + "-wal"
        var largest = 0

        for number in 1...100 {
            var change = OutboxChange()
            change.inserted = [.stub(number: Int64(number), ids: 1...1)]
            change.inserted[0].records = [UInt8](repeating: 7, count: 1_000_000)
            try outbox.commit(change, barrier: false)
            largest = max(largest, OutboxDirectory.size(log))
        }
        let before = OutboxDirectory.size(log)
        try outbox.maintain()

        #expect((60_000_000..<70_000_000).contains(largest))
        #expect(before == largest)
        #expect(OutboxDirectory.size(log) <= 1_000_000)
        #expect(try outbox.usage(lane: 1).totalEvents == 100)
    }

    @Test func `a sync that fails in a checkpoint shows in the next commit, which stores nothing`() throws {
        let queue = try TemporaryQueue()
        let outbox = try queue.outbox()
        let methods = try FailingSync(of: outbox.connection)

        var error: OutboxError?
        for number in 1...300 where error == nil {
            var change = OutboxChange()
            change.inserted = [.stub(number: Int64(number), ids: 1...1)]
            do throws(OutboxError) {
                try outbox.commit(change, barrier: false)
            } catch let failure {
                error = failure
            }
        }
        methods.end()

        #expect(error?.isFailedSync == true)
        #expect(throws: OutboxError.failedSync) { try outbox.commit(OutboxChange(), barrier: true) }
        #expect(try outbox.usage(lane: 1).totalEvents == 256)
    }
}

/// Lets each sync of a connection's database file fail.
@safe private final class FailingSync {
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let before: UnsafePointer<sqlite3_io_methods>
    private let failing: UnsafeMutablePointer<sqlite3_io_methods>

    init(of connection: SQLiteConnection) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        _ = unsafe sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        unsafe self.file = try #require(unsafe file)
        unsafe before = try #require(unsafe self.file.pointee.pMethods)
        unsafe failing = .allocate(capacity: 1)
        unsafe failing.initialize(to: before.pointee)
        unsafe failing.pointee.xSync = { _, _ in SQLITE_IOERR | (4 << 8) }
        unsafe self.file.pointee.pMethods = UnsafePointer(failing)
    }

    /// Lets them succeed again.
    func end() {
        unsafe file.pointee.pMethods = before
        unsafe failing.deallocate()
    }
}

import CSQLite
import CoreTracker
import EventDeliveryAPI
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

/// Tests of files whose layout or contents would cost all time or all memory.
@Suite(.timeLimit(.minutes(5))) struct SQLiteAllowanceTests {
    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"

    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test(arguments: [
        "DROP TABLE decision; CREATE VIEW decision AS \(endless) i AS key, 'granted' AS value FROM n",
        "DROP TABLE lane; CREATE VIEW lane AS \(endless) i AS key FROM n",
        "CREATE VIEW other AS SELECT 1",
        "CREATE TRIGGER other AFTER INSERT ON segment BEGIN DELETE FROM segment; END",
        "CREATE INDEX other ON segment (key)",
        "ALTER TABLE segment ADD COLUMN other AS (length(hex(zeroblob(30000000))))",
        "CREATE TABLE other (a DEFAULT '" + String(repeating: "a", count: 30_000) + "')",
    ])
    func `a file with another layout is damaged, and its valid rows are salvaged without its views`(sql: String) throws
    {
        try store()
        try queue.execute(sql)

        #expect(throws: OutboxError.corrupt) { try SQLiteOutbox(path: queue.path) }
        let salvaged = try SalvagedOutbox(queue, completedBy: checkpoint)

        #expect(salvaged.segments.allSatisfy { $0.read().count == 3 })
        #expect(salvaged.rows.lanes.map(\.id) == [lane.id])
    }

    @Test func `thousands of tables are damage`() throws {
        try store()
        try queue.execute((0..<5_000).map { "CREATE TABLE t\($0) (a)" }.joined(separator: ";"))

        #expect(throws: OutboxError.corrupt) { try SQLiteOutbox(path: queue.path) }
        #expect(try SalvagedOutbox(queue, completedBy: checkpoint).segments.count <= 1)
    }

    @Test(arguments: [
        ("segment", "records"), ("quarantine", "value"), ("batch", "value"), ("lane", "value"),
        ("decision", "value"), ("state", "value"),
    ])
    func `a value that is longer than any written value is damage`(table: String, column: String) throws {
        try store()
        try queue.execute("UPDATE \(table) SET \(column) = zeroblob(65000000)")

        #expect(throws: OutboxError.corrupt) {
            try queue.read { outbox in
                _ = try outbox.lanes()
                _ = try outbox.batches()
                _ = try outbox.segment(at: SegmentPlace(lane: 1, number: 1))
                _ = try outbox.quarantined()
                _ = try outbox.privacy()
            }
        }
        let salvaged = try SalvagedOutbox(queue)
        #expect(salvaged.segments.count == (table == "segment" ? 0 : 1))
        #expect(salvaged.rows.quarantined.count == (table == "quarantine" ? 0 : 1))
        #expect(salvaged.rows.privacy.decisions.count == (table == "decision" ? 0 : 1))
        #expect(salvaged.rows.privacy.isStateLost == (table == "state"))
    }

    @Test(arguments: ["product", "service", "reason", "purpose"], [1_024, 1_025])
    func `a name in a lane's row has a bound`(column: String, length: Int) throws {
        var lane = lane
        let text = String(repeating: "x", count: length)
        switch column {
        case "product": lane = StoredLane(number: 1, id: LaneID(product: text, service: "lines"))
        case "service": lane = StoredLane(number: 1, id: LaneID(product: "T", service: text))
        case "reason": lane.retryState.reason = text
        case "purpose": lane.purpose = text
        default: break
        }
        let outbox = try queue.outbox()
        var change = OutboxChange()
        change.lanes.saved = [lane]
        try outbox.commit(change, barrier: true)

        let found = try outbox.lanes()

        switch column {
        case "product", "service": #expect(found.map(\.isDamaged) == (length > 1_024 ? [] : [false]))
        default: #expect(found.map(\.isDamaged) == [length > 1_024])
        }
        outbox.close()
    }

    #if os(Linux)
    @Test func `a long row of a lane is damage, and is not loaded into memory`() async {
        await #expect(processExitsWith: .success) {
            let suite = try SQLiteAllowanceTests()
            try suite.store()
            try suite.queue.execute("UPDATE lane SET value = zeroblob(30000000)")
            let before = try PeakMemory.reset()

            let lanes = try? suite.queue.read { try $0.lanes() }
            let salvaged = try SalvagedOutbox(suite.queue, completedBy: suite.checkpoint)

            let grown = try PeakMemory.bytes() - before
            let isDamaged = lanes?.allSatisfy(\.isDamaged) ?? true
            let counts = salvaged.segments.map { $0.read().count }
            try #require(isDamaged && counts == [3])
            try #require(grown < 20_000_000)
        }
    }
    #endif

    @Test func `a hundred thousand lanes are damage, of which the first ones are used`() throws {
        try store()
        try queue.commit { change in
            change.lanes.saved = (2...100_000).map {
                StoredLane(number: $0, id: LaneID(product: "T", service: "\($0)"))
            }
        }

        #expect(throws: OutboxError.corrupt) { try queue.rows() }
        let lanes = try SalvagedOutbox(queue).rows.lanes

        #expect(lanes.count == StoredLane.maximum)
        #expect(lanes.first == lane)
    }

    @Test func `reading more bytes than the file has ends with damage`() throws {
        try store()
        let connection = try SQLiteConnection(path: queue.path)
        defer { connection.close() }
        connection.allowRows()
        let statement = try connection.statement("\(SQLiteAllowanceTests.endless) zeroblob(1000000) FROM n")

        #expect(throws: OutboxError.corrupt) { while try statement.step() { _ = statement.blob(0) } }
        #expect(throws: OutboxError.corrupt) { try connection.integer("\(SQLiteAllowanceTests.endless) sum(i) FROM n") }
        #expect(try connection.integer("SELECT count(*) FROM segment") == 1)
    }

    @Test func `a row that is too large to be stored is no damage to the file`() throws {
        let outbox = try queue.outbox()
        var change = OutboxChange()
        change.segments.saved = [.stub()]
        change.segments.saved[0].records = [UInt8](repeating: 0, count: 40_000_000)

        #expect(throws: OutboxError.failed(code: SQLITE_TOOBIG)) { try outbox.commit(change, barrier: false) }
        #expect(try outbox.summaries(lane: nil, after: nil, limit: 9).isEmpty)
    }

    private var lane: StoredLane {
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.accepted = 3
        lane.nextNumber = 4
        return lane
    }

    private var checkpoint: DurabilityCheckpoint { DurabilityCheckpoint([lane], number: 0) }

    /// Stores one row in each table.
    private func store() throws {
        var change = OutboxChange()
        change.segments.saved = [.stub(ids: 1...3)]
        change.lanes.saved = [lane]
        change.batches.saved = [StoredBatch(id: .stub(9), segments: [SegmentPlace(lane: 1, number: 1)])]
        change.quarantined.saved = [.stub(.stub(8))]
        change.decisions = [DecisionRow(purpose: "analytics", consent: .granted)]
        change.state = PrivacyStateRow()
        change.state?.decisions = 1
        try queue.commit(change)
    }
}

#if os(Linux)
/// The maximum memory that this process has used.
enum PeakMemory {
    /// Sets the maximum back to the present use, which it returns in bytes.
    static func reset() throws -> Int {
        // See proc(5) for the number.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        return try bytes()
    }

    /// Returns the maximum since the last reset in bytes.
    static func bytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }) * 1_024
    }
}
#endif

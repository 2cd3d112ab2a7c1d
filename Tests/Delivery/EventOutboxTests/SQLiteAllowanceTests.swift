import CSQLite
import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

/// Files whose layout or contents would take all time or all memory.
@Suite(.timeLimit(.minutes(5))) struct SQLiteAllowanceTests {
    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"

    @Test(arguments: [
        "DROP TABLE meta; CREATE VIEW meta AS \(endless) 'adopted:' || i AS key, '' AS value FROM n",
        "DROP TABLE lane; CREATE VIEW lane AS \(endless) i AS number FROM n",
        "CREATE VIEW other AS SELECT 1",
        "CREATE TRIGGER other AFTER INSERT ON segment BEGIN DELETE FROM segment; END",
        "CREATE INDEX other ON segment (key)",
        "ALTER TABLE segment ADD COLUMN other AS (length(hex(zeroblob(30000000))))",
        "CREATE TABLE other (a DEFAULT '" + String(repeating: "a", count: 30_000) + "')",
    ])
    func `a file with another layout is damaged, and what is sound in it is read without its views`(sql: String)
        throws
    {
        let queue = try TemporaryQueue()
        let path = try store(Segment.stub(ids: 1...3), in: queue)
        try craft(path, sql)

        #expect(throws: OutboxError.corrupt) { try SQLiteOutbox(path: path) }
        let contents = try SQLiteSalvage.read(path: path, mark: DurabilityCheckpoint([lane]))

        #expect(contents.segments.allSatisfy { $0.read().count == 3 })
    }

    @Test func `thousands of tables are damage`() throws {
        let queue = try TemporaryQueue()
        let path = try store(Segment.stub(ids: 1...3), in: queue)
        try craft(path, (0..<5_000).map { "CREATE TABLE t\($0) (a)" }.joined(separator: ";"))

        #expect(throws: OutboxError.corrupt) { try SQLiteOutbox(path: path) }
        #expect(try SQLiteSalvage.read(path: path, mark: DurabilityCheckpoint([lane])).segments.count <= 1)
    }

    @Test(arguments: ["segment", "held", "quarantine", "lane"])
    func `a value longer than any that is written is damage`(table: String) throws {
        let queue = try TemporaryQueue()
        let path = try store(Segment.stub(ids: 1...3), in: queue)
        let column = ["quarantine": "fragment", "lane": "product"][table] ?? "records"
        try craft(path, "INSERT INTO quarantine VALUES (1, x'00', '', '', '', '', 1, '', 1, x'00')")
        try craft(path, "INSERT INTO held SELECT * FROM segment")
        try craft(path, "UPDATE \(table) SET \(column) = zeroblob(65000000)")

        let outbox = try SQLiteOutbox(path: path)
        #expect(throws: OutboxError.corrupt) {
            for lane in try outbox.lanes() { _ = try outbox.heldSegments(lane: lane.number) }
            _ = try outbox.segment(at: SegmentPlace(lane: 1, number: 1))
            _ = try outbox.quarantined(lane: nil, limit: .max)
        }
        outbox.close()
        #expect(try SQLiteSalvage.read(path: path, mark: nil).losses.values.allSatisfy { $0 <= 3 })
    }

    @Test(arguments: ["product", "service", "reason", "purpose", "failure"], [1_024, 1_025])
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
        let queue = try TemporaryQueue()
        let outbox = try queue.outbox()
        var change = OutboxChange()
        change.lanes = [lane]
        try outbox.commit(change, barrier: true)
        if column == "failure" { try outbox.connection.execute("UPDATE lane SET failure = '\(text)'") }

        let found = try outbox.lanes()

        switch column {
        case "product", "service": #expect(found.map(\.isDamaged) == (length > 1_024 ? [] : [false]))
        default: #expect(found.map(\.isDamaged) == [length > 1_024])
        }
        outbox.close()
    }

    #if os(Linux)
    @Test(arguments: ["dropped", "reason", "failure"])
    func `a long text in a lane's row is damage, and costs no memory`(column: String) async {
        await #expect(processExitsWith: .success) { [column = column as String] in
            let queue = try TemporaryQueue()
            let suite = SQLiteAllowanceTests()
            let path = try suite.store(Segment.stub(ids: 1...3), in: queue)
            try suite.craft(path, "UPDATE lane SET \(column) = hex(zeroblob(15000000))")
            // 5 sets the peak back to the present value; see proc(5).
            try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
            let before = try SQLiteAllowanceTests.peakBytes()

            let outbox = try? SQLiteOutbox(path: path)
            let lanes = try? outbox?.lanes()
            outbox?.close()
            let contents = try SQLiteSalvage.read(path: path, mark: DurabilityCheckpoint([suite.lane]))

            let undamaged = (lanes ?? []).filter { !$0.isDamaged }.count
            let events = contents.segments.reduce(0) { $0 + $1.read().count }
            let grown = try SQLiteAllowanceTests.peakBytes() - before
            try #require(undamaged == 0)
            try #require(events == 3)
            try #require(grown < 20_000_000)
        }
    }

    /// The most memory that this process has had, in bytes.
    private static func peakBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }) * 1_024
    }
    #endif

    @Test func `of a hundred thousand lanes the first ones are taken`() throws {
        let queue = try TemporaryQueue()
        let path = try store(Segment.stub(ids: 1...3), in: queue)
        try craft(
            path,
            """
            WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
            INSERT INTO lane SELECT i, 'T', i, 0, 0, 0, '', '', 1, 0, 0, '', 0, 0, 0, NULL, 0, '', '' FROM n
            """
        )

        let found = try StoredQueue(in: OutboxDirectory(queue.url))
        found.outbox.close()

        #expect(found.lanes.count == StoredLane.most)
        #expect(found.lanes.first?.stored == lane)
        #expect(try SQLiteSalvage.read(path: path, mark: nil).lanes.count == StoredLane.most)
    }

    @Test func `reading more bytes than the file has ends with damage`() throws {
        let queue = try TemporaryQueue()
        let path = try store(Segment.stub(ids: 1...3), in: queue)
        let connection = try SQLiteConnection(path: path)
        defer { connection.close() }
        connection.allowRows()
        let statement = try connection.statement("\(SQLiteAllowanceTests.endless) zeroblob(1000000) FROM n")

        #expect(throws: OutboxError.corrupt) { while try statement.step() { _ = statement.blob(0) } }
        #expect(throws: OutboxError.corrupt) { try connection.integer("\(SQLiteAllowanceTests.endless) sum(i) FROM n") }
        #expect(try connection.integer("SELECT count(*) FROM segment") == 1)
    }

    @Test func `a row that is too large to be stored is no damage to the file`() throws {
        let queue = try TemporaryQueue()
        let outbox = try queue.outbox()
        var change = OutboxChange()
        change.inserted = [.stub()]
        change.inserted[0].records = [UInt8](repeating: 0, count: 40_000_000)

        #expect(throws: OutboxError.failed(code: SQLITE_TOOBIG)) { try outbox.commit(change, barrier: false) }
        #expect(try outbox.usage(lane: 1) == LaneUsage())
    }

    private var lane: StoredLane {
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.accepted = 3
        lane.nextNumber = 4
        return lane
    }

    private func store(_ segment: Segment, in queue: TemporaryQueue) throws -> String {
        let outbox = try queue.outbox()
        var change = OutboxChange()
        change.inserted = [segment]
        change.lanes = [lane]
        try outbox.commit(change, barrier: true)
        outbox.close()
        return queue.path
    }

    /// Changes a file as any program can.
    private func craft(_ path: String, _ sql: String) throws {
        var handle: OpaquePointer?
        defer { unsafe sqlite3_close(handle) }
        try #require(unsafe sqlite3_open(path, &handle) == SQLITE_OK)
        let code = unsafe sqlite3_exec(handle, "BEGIN; \(sql); COMMIT", nil, nil, nil)
        let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? ""
        try #require(code == SQLITE_OK, "\(message)")
    }
}

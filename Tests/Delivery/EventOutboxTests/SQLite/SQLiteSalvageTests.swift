import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite(.timeLimit(.minutes(5))) struct SQLiteSalvageTests {
    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test func `an intact file is read completely, and not changed`() throws {
        try store(.stub(ids: 1...3))
        let bytes = try Data(contentsOf: URL(filePath: queue.path))
        let expected = try queue.rows()

        let salvaged = try SalvagedOutbox(queue)

        #expect(try Data(contentsOf: URL(filePath: queue.path)) == bytes)
        #expect(salvaged.segments == [.stub(ids: 1...3)])
        #expect(salvaged.rows.lanes == expected.lanes)
        #expect(salvaged.rows.lanes.map(\.batches.count) == [1])
        #expect(salvaged.rows.quarantined == expected.quarantined && salvaged.rows.quarantined.count == 1)
        #expect(salvaged.rows.state == expected.state)
    }

    @Test func `a damaged record is left out, and the others are read`() throws {
        var segment = Segment.stub(ids: 1...3)
        segment.records[30] ^= 0xFF
        try store(segment)

        #expect(try SalvagedOutbox(queue).segments.flatMap { $0.read() }.map(\.id) == [.stub(1), .stub(3)])
    }

    @Test func `of a file that is no database, the lanes are known from the checkpoint`() throws {
        try Data("no database, but long enough to look like one".utf8).write(to: URL(filePath: queue.path))
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.accepted = 5

        let salvaged = try SalvagedOutbox(queue, completedBy: DurabilityCheckpoint([lane], number: 12))

        #expect(salvaged.segments.isEmpty)
        #expect(salvaged.rows.lanes.map(\.ledger) == [lane.ledger])
        #expect(salvaged.rows.lanes.map(\.isDamaged) == [true])
        #expect(salvaged.rows.state == nil)
    }

    @Test(arguments: ["segment", "lane", "quarantine"])
    func `decisions and pending deletions are found beside a destroyed table`(table: String) throws {
        try store(.stub(ids: 1...3))
        try destroy(table)
        #expect(throws: OutboxError.corrupt) { _ = try (queue.rows(), queue.segments()) }

        #expect(try SalvagedOutbox(queue).rows.state == state)
    }

    @Test func `the loss of the table of the state is noticed`() throws {
        try store(.stub(ids: 1...3))
        try destroy("state")
        #expect(throws: OutboxError.corrupt) { try queue.rows() }

        let salvaged = try SalvagedOutbox(queue)

        #expect(salvaged.rows.state == nil)
        #expect(salvaged.segments == [.stub(ids: 1...3)])
    }

    @Test func `behind a destroyed page, segments are read from the other end, each once`() throws {
        for number in 1...60 as ClosedRange<Int64> { try store(large(number)) }
        let size = FileStatus.size(at: queue.path)
        let file = try FileHandle(forUpdating: URL(filePath: queue.path))
        try file.seek(toOffset: UInt64(size / 8192 * 4096))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 8_192))
        try file.close()

        let numbers = try SalvagedOutbox(queue).segments.filter { !$0.read().isEmpty }.map(\.place.number)

        #expect(numbers.count >= 50)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.contains(1) && numbers.contains(60))
    }

    @Test func `segments that damage has put into both tables are read once, and the file is replaced`() throws {
        try store(.stub(ids: 1...3))
        var file = try Data(contentsOf: URL(filePath: queue.path))
        let (segments, moved) = (try page(of: "segment"), try page(of: "moved"))
        file.replaceSubrange(moved..<(moved + 4_096), with: file[segments..<(segments + 4_096)])
        try file.write(to: URL(filePath: queue.path))

        let salvage = try SQLiteSalvage(path: queue.path)
        let (rows, losses) = try OutboxReplacement.write(
            in: OutboxDirectory(queue.url),
            rows: salvage.rows(completedBy: nil)
        ) { add throws(OutboxError) in try salvage.forEachSegment(add) }

        #expect(losses.isEmpty)
        #expect(rows.lanes.map(\.counts.total) == [3])
    }

    #if os(Linux)
    /// Whether the program has the memory of the address sanitizer.
    private static let hasSanitizer = unsafe dlsym(nil, "__asan_init") != nil

    @Test(.enabled(if: !hasSanitizer))
    func `a large damaged file is salvaged and replaced in little memory`() async {
        await #expect(processExitsWith: .success) {
            let suite = try SQLiteSalvageTests()
            for number in 0..<96 {
                try suite.queue.commit { change in
                    change.save(segments: (0..<16).map { suite.large(Int64(number * 16 + $0 + 1), bytes: 64_000) })
                }
            }
            try suite.store(.stub(number: 9_000, ids: 1...3))
            try suite.destroy("quarantine")
            let directory = try OutboxDirectory(suite.queue.url)
            try #require(FileStatus.size(at: directory.queue) > 90_000_000)
            let before = try PeakMemory.reset()

            let salvage = try SQLiteSalvage(path: directory.queue)
            let (rows, losses) = try OutboxReplacement.write(in: directory, rows: salvage.rows(completedBy: nil)) {
                add throws(OutboxError) in try salvage.forEachSegment(add)
            }

            let grown = try PeakMemory.bytes() - before
            try #require(losses.isEmpty)
            try #require(rows.lanes.map(\.counts.total) == [96 * 16 + 3])
            try #require(grown < 20_000_000)
        }
    }
    #endif

    private func large(_ number: Int64, bytes: Int = 3_000) -> Segment {
        var segment = Segment.stub(number: number, ids: 1...1)
        (segment.count, segment.records) = (0, [])
        segment.append(id: .stub(UInt16(number)), fragment: [UInt8](repeating: 7, count: bytes))
        return segment
    }

    /// Stores a segment, and one row in each other table.
    private func store(_ segment: Segment) throws {
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.accepted = segment.count
        lane.nextNumber = segment.place.number + Int64(segment.count)
        lane.batches = [StoredBatch(id: .stub(9), segments: [segment.place])]
        try queue.commit { change in
            change.save(segments: [segment])
            change.save(lanes: [lane])
            change.save(quarantined: [.stub(.stub(8), decision: 7)])
            change.save(state)
        }
    }

    private var state: StateRow {
        var state = StateRow()
        (state.number, state.isUnclean) = (7, true)
        state.decisions["ads"] = StateRow.Decision(.denied, denial: 5)
        state.erasing[UserHash(rawValue: 9)] = 6
        return state
    }

    /// Returns the offset of a table's first page.
    private func page(of table: String) throws -> Int {
        let root = try queue.read { outbox in
            try outbox.connection.integer("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
        }
        return Int(root - 1) * 4_096
    }

    /// Overwrites a table's first page.
    private func destroy(_ table: String) throws {
        let offset = try page(of: table)
        let file = try FileHandle(forUpdating: URL(filePath: queue.path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        try file.close()
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

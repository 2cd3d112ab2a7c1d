import CSQLite
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

/// Tests of the write-ahead log: its size, failed syncs, and bytes of deleted events.
@Suite struct DatabaseLogTests {
    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test func `few large commits do not grow the log without bound, and maintenance truncates it`() throws {
        let outbox = try queue.outbox()
        let log = queue.path + "-wal"
        var largest = 0

        for number in 1...100 {
            var change = OutboxChange()
            var large = Segment.stub(number: Int64(number), ids: 1...1)
            large.records = [UInt8](repeating: 7, count: 1_000_000)
            change.save(large)
            try outbox.commit(change, barrier: false)
            largest = max(largest, FileStatus.size(at: log))
        }
        let before = FileStatus.size(at: log)
        try outbox.maintain()

        #expect((4_000_000..<5_500_000).contains(largest))
        #expect(before == largest)
        #expect(FileStatus.size(at: log) <= 1_000_000)
        #expect(try outbox.summaries(lane: 1, after: nil, limit: .max).count == 100)
    }

    @Test func `small commits that change many pages do not grow the log without bound`() throws {
        let outbox = try queue.outbox()
        let log = queue.path + "-wal"
        let lanes = 1...24
        var largest = 0

        for number in 1...400 as ClosedRange<Int64> {
            var change = OutboxChange()
            for lane in lanes {
                var segment = Segment.stub(lane: lane, number: number, ids: 1...1)
                segment.records = [UInt8](repeating: 7, count: 300)
                change.save(segment)
            }
            try outbox.commit(change, barrier: false)
            largest = max(largest, FileStatus.size(at: log))
        }

        #expect(largest < 4_500_000)
        #expect(try outbox.summaries(lane: nil, after: nil, limit: .max).count == 400 * lanes.count)
    }

    @Test func `a sync that fails in a checkpoint is reported by the next commit, which stores nothing`() throws {
        let outbox = try queue.outbox()
        let methods = try FailingSync(of: outbox.connection)

        var (error, stored) = (OutboxError?.none, 0)
        for number in 1...2_000 where error == nil {
            var change = OutboxChange()
            change.save(segments: [.stub(number: Int64(number), ids: 1...1)])
            do throws(OutboxError) {
                try outbox.commit(change, barrier: false)
                stored += 1
            } catch let failure {
                error = failure
            }
        }
        methods.end()

        #expect(error?.isFailedSync == true)
        #expect(throws: OutboxError.failedSync) { try outbox.commit(OutboxChange(), barrier: true) }
        #expect((1..<2_000).contains(stored))
        #expect(try outbox.summaries(lane: 1, after: nil, limit: .max).count == stored)
    }

    @Test(arguments: [10, 3_000, 60_000])
    func `after the file is rewritten, its log is empty and no byte of a deleted event is left`(size: Int) throws {
        let outbox = try queue.outbox()
        let segments = (1...40).map { number in
            segment(number, canary: number % 2 == 0 ? "KEPT" : "GONE", size: size)
        }
        var change = OutboxChange()
        change.save(segments: segments)
        try outbox.commit(change, barrier: true)
        #expect(try contains("GONE") && contains("KEPT"))

        change = OutboxChange()
        change.remove(segments: segments.filter { $0.place.number % 2 == 1 }.map(\.place))
        try outbox.commit(change, barrier: true)
        try outbox.compact()

        #expect(FileStatus.size(at: queue.path + "-wal") == 0)
        #expect(try !contains("GONE"))
        #expect(try contains("KEPT"))
        #expect(try outbox.summaries(lane: 1, after: nil, limit: .max).count == 20)
    }

    @Test(arguments: 1...6, [5_000, 9_000, 20_000])
    func `after the file is rewritten, no page that was used again contains bytes of a deleted event`(
        deleted: Int,
        size: Int
    ) throws {
        let outbox = try queue.outbox()
        let segments = (1...12).map { segment($0, canary: $0 <= deleted ? "GONE" : "KEPT", size: size) }
        var change = OutboxChange()
        change.save(segments: segments)
        try outbox.commit(change, barrier: true)
        change = OutboxChange()
        change.remove(segments: segments.prefix(deleted).map(\.place))
        try outbox.commit(change, barrier: true)

        try outbox.compact()

        #expect(try !contains("GONE"))
        #expect(try outbox.summaries(lane: 1, after: nil, limit: .max).count == 12 - deleted)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `after the file is rewritten, no byte of an event is left that was deleted in any order`(seed: UInt64) throws {
        let outbox = try queue.outbox()
        var random = SeededGenerator(seed: seed)
        for number in (1...400).shuffled(using: &random) {
            var change = OutboxChange()
            let canary = number % 4 == 0 ? "KEPT" : "GONE"
            change.save(segments: [segment(number, canary: canary, size: Int.random(in: 8...900, using: &random))])
            try outbox.commit(change, barrier: false)
        }
        for number in (1...400).shuffled(using: &random) where number % 4 != 0 {
            var change = OutboxChange()
            change.remove(segments: [SegmentPlace(lane: 1, number: Int64(number))])
            try outbox.commit(change, barrier: false)
        }

        try outbox.compact()

        #expect(try !contains("GONE"))
        #expect(try outbox.summaries(lane: 1, after: nil, limit: .max).count == 100)
        #expect(try outbox.segment(at: SegmentPlace(lane: 1, number: 400))?.read().count == 1)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `while the file is rewritten, changes are stored, a kill loses nothing, and no step is large`(seed: UInt64)
        throws
    {
        let outbox = try queue.outbox()
        var random = SeededGenerator(seed: seed)
        var expected: Set<Int> = []
        for number in 1...600 {
            var change = OutboxChange()
            let isKept = number % 4 == 0
            let size = Int.random(in: 8...20_000, using: &random)
            change.save(segments: [segment(number, canary: isKept ? "KEPT" : "GONE", size: size)])
            if isKept { expected.insert(number) }
            try outbox.commit(change, barrier: false)
        }
        for number in (1...600).shuffled(using: &random) where number % 4 != 0 {
            var change = OutboxChange()
            change.remove(segments: [SegmentPlace(lane: 1, number: Int64(number))])
            try outbox.commit(change, barrier: false)
        }

        try outbox.startRewrite()
        var (next, steps) = (601, 0)
        while !(try outbox.rewriteStep()) {
            steps += 1
            var change = OutboxChange()
            let removed = try #require(expected.randomElement(using: &random))
            change.remove(segments: [SegmentPlace(lane: 1, number: Int64(removed))])
            change.save(segments: [segment(next, canary: "KEPT", size: Int.random(in: 8...2_000, using: &random))])
            try outbox.commit(change, barrier: false)
            (expected, next) = (expected.subtracting([removed]).union([next]), next + 1)
            #expect(try numbers(in: outbox) == expected.sorted())
            #expect(FileStatus.size(at: queue.path + "-wal") < 3_000_000)
            if steps == Int(seed) {
                let killed = try queue.copy()
                let other = try SQLiteOutbox(path: killed.path)
                #expect(try numbers(in: other) == expected.sorted())
                try other.compact()
                #expect(try numbers(in: other) == expected.sorted())
                #expect(try !killed.contents().contains("GONE"))
                other.close()
            }
        }

        #expect(steps > Int(seed))
        #expect(try !contains("GONE"))
        #expect(try numbers(in: outbox) == expected.sorted())
    }

    @Test func `the rewrite of a crafted file whose segments are not in order has an end`() throws {
        try queue.commit { $0.save(segments: (1...9).map { segment($0, canary: "KEPT", size: 100) }) }
        try reverseRows()
        let outbox = try SQLiteOutbox(path: queue.path)

        #expect(throws: OutboxError.corrupt) {
            try outbox.startRewrite()
            for _ in 1...100 where try outbox.rewriteStep() { break }
        }
    }

    /// Swaps the first row of each leaf page of a table with the last one.
    private func reverseRows() throws {
        let file = URL(filePath: queue.path)
        var bytes = try Data(contentsOf: file)
        for page in stride(from: 4_096, to: bytes.count, by: 4_096) where bytes[page] == 13 && bytes[page + 4] > 1 {
            let (first, last) = (page + 8, page + 6 + 2 * Int(bytes[page + 4]))
            for byte in 0...1 { bytes.swapAt(first + byte, last + byte) }
        }
        try bytes.write(to: file)
    }

    /// The sequence numbers of all segments, whose records are valid.
    private func numbers(in outbox: SQLiteOutbox) throws -> [Int] {
        let places = try outbox.summaries(lane: 1, after: nil, limit: .max).map(\.place)
        for place in places { #expect(try outbox.segment(at: place)?.read().count == 1) }
        return places.map { Int($0.number) }
    }

    private func segment(_ number: Int, canary: String, size: Int) -> Segment {
        var segment = Segment.stub(number: Int64(number), ids: 1...1)
        (segment.count, segment.records) = (0, [])
        let text = String(repeating: "\(canary)-\(number) ", count: size / 8 + 1)
        segment.append(id: .stub(UInt16(number)), fragment: Array(text.utf8))
        return segment
    }

    /// Whether the file or its log contains a text.
    private func contains(_ text: String) throws -> Bool {
        try ["", "-wal"].contains {
            try Data(contentsOf: URL(filePath: queue.path + $0)).range(of: Data(text.utf8)) != nil
        }
    }
}

/// A replacement for the methods of a connection's database file, in which each sync fails.
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

    /// Lets syncs succeed again.
    func end() {
        unsafe file.pointee.pMethods = before
        unsafe failing.deallocate()
    }
}

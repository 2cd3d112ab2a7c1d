import CSQLite
import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct SQLiteOutboxTests {
    /// A database, and how its changes are made.
    enum Kind: CaseIterable {
        /// The database is a file.
        case file
        /// The database is in memory.
        case memory
        /// The disk accepts no changes, so they are kept in memory over an empty file.
        case kept
    }

    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test(arguments: Kind.allCases, [nil, UserHash.nobody, UserHash(rawValue: 1 << 63)])
    func `a segment keeps its user, also an unknown one`(kind: Kind, user: UserHash?) throws {
        let outbox = try outbox(kind)
        var segment = Segment.stub()
        segment.user = user

        try apply(kind, outbox) { $0.save(segments: [segment]) }

        #expect(try outbox.summaries(lane: 1, after: nil, limit: 9).map(\.user) == [user])
        #expect(try outbox.segment(at: segment.place) == segment)
    }

    @Test(arguments: Kind.allCases)
    func `segments are read in the order of their places, page by page`(kind: Kind) throws {
        let outbox = try outbox(kind)
        let segments = [7, 1, 4].map { Segment.stub(number: $0, ids: 1...3) }

        try apply(kind, outbox) { $0.save(segments: segments + [.stub(lane: 2, number: 2)]) }

        let found = try outbox.summaries(lane: 1, after: nil, limit: 9)
        #expect(found.map(\.place.number) == [1, 4, 7])
        #expect(try outbox.summaries(lane: 1, after: found[0].place, limit: 1).map(\.place.number) == [4])
        #expect(try outbox.summaries(lane: nil, after: found[1].place, limit: 9).map(\.place.lane) == [1, 2])
        #expect(try outbox.segment(at: segments[0].place) == segments[0])
        #expect(try outbox.segment(at: SegmentPlace(lane: 1, number: 9)) == nil)
    }

    @Test(arguments: Kind.allCases)
    func `removals precede insertions, so a segment can be replaced at its place`(kind: Kind) throws {
        let outbox = try outbox(kind)
        let longer = Segment.stub(number: 1, ids: 5...9)
        try apply(kind, outbox) { $0.save(segments: [.stub(number: 1), .stub(number: 9)]) }

        try apply(kind, outbox) { change in
            change.remove(segments: [
                longer.place, SegmentPlace(lane: 1, number: 9), SegmentPlace(lane: 1, number: 99),
            ])
            change.save(segments: [longer])
        }

        #expect(try outbox.summaries(lane: 1, after: nil, limit: 9) == [longer.summary])
        #expect(try outbox.segment(at: longer.place) == longer)
    }

    @Test(arguments: Kind.allCases)
    func `segments below the start of a lane are left out`(kind: Kind) throws {
        let outbox = try outbox(kind)
        let segments = (0...4).map { number in
            Segment.stub(number: 1 + 2 * number, user: UInt64(number % 2), decision: UInt64(number))
        }
        try apply(kind, outbox) { $0.save(segments: segments) }
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        (lane.start, lane.nextNumber) = (5, 11)

        var visited: [UInt64] = []
        try outbox.forEachSummary(of: lane) { summary throws(OutboxError) in
            visited.append(summary.decision)
            return visited.count < 2
        }

        #expect(visited == [2, 3])
        #expect(try outbox.summaries(of: lane, after: segments[2].place, limit: 9).map(\.decision) == [3, 4])
        #expect(try outbox.recount(lane).events == [0, 6, 0])
    }

    @Test(arguments: Kind.allCases)
    func `quarantined events are read oldest first, until they are removed`(kind: Kind) throws {
        let outbox = try outbox(kind)
        let events = [3, 1, 2].enumerated().map { time, number in
            QuarantinedEvent.stub(.stub(number), user: UserHash(rawValue: .max), decision: 7, time: time)
        }

        try apply(kind, outbox) { change in
            change.save(quarantined: events)
            change.save(StoredLane(number: 1, id: LaneID(product: "T", service: "lines")))
        }
        if kind != .kept { #expect(try outbox.storedRows().quarantined == events) }
        try apply(kind, outbox) { $0.remove(events[0], lane: 1) }
        try outbox.storeUnsaved()

        #expect(try outbox.storedRows().quarantined == Array(events[1...]))
    }

    @Test(arguments: Kind.allCases)
    func `rows are read as they were saved last, even after the file is opened again`(kind: Kind) throws {
        let database = kind == .memory ? try SQLiteOutbox() : try queue.outbox()
        let outbox = Outbox(database)
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "a"))
        (lane.purpose, lane.nextNumber, lane.receiver.maximumBodyBytes, lane.start) = ("ads", 4, 5, 3)
        (lane.counts.events, lane.counts.bytes) = ([1, 2, 3], 99)
        (lane.retryState.remaining, lane.retryState.reason) = (.seconds(3), "paused:endpoint")
        lane.retryState.failures = 2
        lane.retryState.pausedSince = Timestamp(microseconds: 1_772_359_200_000_000)
        lane.retryState.configuration = 40_000
        lane.receiver.lastSuccess = Timestamp(microseconds: 11)
        let other = StoredLane(number: 2, id: LaneID(product: "T", service: "b"))
        lane.batches = [StoredBatch(id: .stub(1), segments: [SegmentPlace(lane: 1, number: 3)], attempts: 4)]
        try apply(kind, outbox) { $0.save(lanes: [other, StoredLane(number: 1, id: lane.id)]) }

        try apply(kind, outbox) { $0.save(lanes: [lane]) }
        try outbox.commit(OutboxChange(), barrier: true)

        func expectRows(in database: SQLiteOutbox) throws {
            #expect(try database.lanes() == [lane, other])
        }
        try expectRows(in: database)
        guard kind != .memory else { return }
        outbox.close()
        try queue.read(expectRows)
    }

    @Test func `random sequences of changes leave a file with the same contents as plain values`() throws {
        let outbox = try queue.outbox()
        var random = SeededGenerator(seed: 59)
        var model = OutboxModel()
        var sequences = (1...4).map { OutboxSequence(lane: $0) }

        for round in 1...1_500 {
            let change = sequences[round % 4].change(using: &random)
            try outbox.commit(change, barrier: round % 16 == 0)
            model.apply(change)
            if round % 50 == 0 { try model.expectEqual(outbox) }
        }

        outbox.close()
        try queue.read { try model.expectEqual($0) }
    }

    @Test func `a full file rejects a change, keeps everything, and accepts deletions`() throws {
        let outbox = try queue.outbox()
        var change = OutboxChange()
        change.save(segments: [.stub(number: 1)])
        try outbox.commit(change, barrier: false)
        let pages = try outbox.connection.integer("PRAGMA page_count")
        try outbox.connection.execute("PRAGMA max_page_count = \(pages + 1)")

        var large = Segment.stub(number: 5)
        large.records = [UInt8](repeating: 7, count: 100_000)
        change.save(large)
        #expect(throws: OutboxError.full) { try outbox.commit(change, barrier: true) }

        #expect(try outbox.summaries(lane: 1, after: nil, limit: 9) == [Segment.stub(number: 1).summary])
        change = OutboxChange()
        change.remove(segments: [SegmentPlace(lane: 1, number: 1)])
        try outbox.commit(change, barrier: true)
        #expect(try outbox.summaries(lane: 1, after: nil, limit: 9).isEmpty)
    }

    @Test func `a stored change survives a killed process`() throws {
        let outbox = try queue.outbox()

        for number in 1...9 as ClosedRange<Int64> {
            var change = OutboxChange()
            change.save(segments: [.stub(number: number, ids: 1...1)])
            try outbox.commit(change, barrier: false)
            // The files now have the contents left by a killed process.
            #expect(try queue.copy().segments().map(\.place.number) == Array(1...number))
        }

        outbox.close()
    }

    @Test func `a file that was deleted or replaced is not present, and is not deleted by a discard`() throws {
        let outbox = try queue.outbox()
        #expect(outbox.isPresent && outbox.isFile)
        try FileManager.default.removeItem(atPath: queue.path)
        _ = try queue.makeFile()

        #expect(!outbox.isPresent)
        outbox.discard()

        #expect(queue.hasQueue)
        let memory = try SQLiteOutbox()
        #expect(memory.isPresent && !memory.isFile)
        memory.discard()
    }

    @Test func `a discard deletes the file with its companions`() throws {
        let outbox = try queue.outbox()
        DurabilityCheckpoint([], number: 0).write(queue: queue.path)

        outbox.discard()

        #expect(queue.files.isEmpty)
    }

    private func outbox(_ kind: Kind) throws -> Outbox {
        Outbox(kind == .memory ? try SQLiteOutbox() : try queue.outbox())
    }

    private func apply(_ kind: Kind, _ outbox: Outbox, _ fill: (inout OutboxChange) -> Void) throws {
        var change = OutboxChange()
        fill(&change)
        if kind == .kept { outbox.keep(change) } else { try outbox.commit(change, barrier: true) }
    }
}

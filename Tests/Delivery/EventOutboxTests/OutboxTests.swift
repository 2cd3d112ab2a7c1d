import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct OutboxTests {
    @Test func `unsaved and committed changes are read like committed changes`() throws {
        var random = SeededGenerator(seed: 60)

        for number in 1...400 {
            let database = try SQLiteOutbox()
            let outbox = Outbox(database)
            var model = OutboxModel()
            var sequence = OutboxSequence(lane: number)
            for _ in 1...8 {
                let change = sequence.change(using: &random)
                model.apply(change)
                if Bool.random(using: &random) {
                    outbox.keep(change)
                } else {
                    try outbox.commit(change, barrier: false)
                }
                try model.expectEqual(outbox)
            }
            try outbox.commit(OutboxChange(), barrier: true)
            #expect(outbox.unsavedSize == (0, 0))
            try model.expectEqual(database)
            outbox.close()
        }
    }

    @Test func `a commit that fails stores no unsaved change, and the next one stores all`() throws {
        let queue = try TemporaryQueue()
        let database = try queue.outbox()
        let outbox = Outbox(database)
        let pages = try database.connection.integer("PRAGMA page_count")
        try database.connection.execute("PRAGMA max_page_count = \(pages + 1)")
        outbox.keep(change(.stub(number: 1)))
        var large = Segment.stub(number: 3)
        large.records = [UInt8](repeating: 7, count: 100_000)

        #expect(throws: OutboxError.full) { try outbox.commit(change(large), barrier: true) }
        #expect(try database.summaries(lane: 1, after: nil, limit: 9).isEmpty)
        #expect(try outbox.summaries(lane: 1, after: nil, limit: 9).map(\.place.number) == [1])
        #expect(outbox.unsavedSize.events == 2)
        try outbox.commit(change(.stub(number: 5)), barrier: true)

        #expect(outbox.unsavedSize.events == 0)
        #expect(try database.summaries(lane: 1, after: nil, limit: 9).map(\.place.number) == [1, 5])
        outbox.close()
    }

    @Test func `an unreadable outbox keeps changes, which the next outbox takes over`() throws {
        let unreadable = Outbox(unreadable: .failed(code: 10))
        unreadable.keep(change(.stub(number: 1)))

        #expect(!unreadable.isOpen)
        #expect(throws: OutboxError.failed(code: 10)) { try unreadable.commit(OutboxChange(), barrier: true) }
        #expect(throws: OutboxError.failed(code: 10)) { try unreadable.summaries(lane: 1, after: nil, limit: 9) }
        #expect(try unreadable.segment(at: SegmentPlace(lane: 1, number: 1))?.count == 2)
        #expect(unreadable.unsavedEvents(beyond: unreadable.storedLanes).pending.map(\.place.number) == [1])
        let outbox = Outbox(try SQLiteOutbox(), keeping: unreadable)

        #expect(outbox.replaces(SegmentPlace(lane: 1, number: 1)))
        #expect(try outbox.summaries(lane: 1, after: nil, limit: 9).map(\.place.number) == [1])
    }

    @Test func `a recount includes the records of a segment whose columns are damaged`() throws {
        let queue = try TemporaryQueue()
        var stored = change(.stub(number: 1))
        stored.save(.stub(number: 3, ids: 3...5))
        try queue.commit(stored)
        try queue.execute("UPDATE segment SET count = 9 WHERE (place & 0xFF) = 3")

        let counts = try queue.read { try Outbox($0).recount(lane) }

        #expect(counts.events == [0, 5, 0])
    }

    @Test func `consecutive changes become one with the same effect`() throws {
        var random = SeededGenerator(seed: 61)

        for _ in 1...200 {
            var (merged, model) = (OutboxChange(), OutboxModel())
            var sequence = OutboxSequence(lane: 1)
            for _ in 1...6 {
                let change = sequence.change(using: &random)
                merged.merge(change)
                model.apply(change)
            }

            let outbox = try SQLiteOutbox()
            try outbox.commit(merged, barrier: false)
            try outbox.commit(merged, barrier: false)
            try model.expectEqual(outbox)
            outbox.close()
        }
    }

    @Test func `segments and events that only memory has had leave nothing behind`() throws {
        let outbox = Outbox(try SQLiteOutbox())
        for number in 1...1_000 as ClosedRange<Int64> {
            let segment = Segment.stub(number: number, ids: 1...1)
            let event = QuarantinedEvent.stub(.stub(UInt16(number)))
            var change = change(segment)
            change.save(event, lane: 1)
            outbox.keep(change)
            change = OutboxChange()
            change.remove(segment.place)
            change.remove(event, lane: 1)
            outbox.keep(change)
        }

        #expect(!outbox.hasUnsaved)
    }

    @Test func `the deletion and the replacement of stored rows are kept`() throws {
        let outbox = Outbox(try SQLiteOutbox())
        let stored = change(.stub(number: 1))
        try outbox.commit(stored, barrier: false)

        outbox.keep(stored)
        var change = OutboxChange()
        change.remove(SegmentPlace(lane: 1, number: 1))
        outbox.keep(change)
        try outbox.storeUnsaved()

        #expect(try outbox.summaries(lane: 1, after: nil, limit: 9).isEmpty)
    }

    @Test(arguments: [true, false])
    func `a deletion is kept while the file cannot be read, which may contain the segment`(isOpen: Bool) throws {
        let queue = try TemporaryQueue()
        let database = try queue.outbox()
        try database.commit(change(.stub(number: 1, ids: 1...3)), barrier: true)
        let outbox = isOpen ? Outbox(database) : Outbox(unreadable: .failed(code: 10))
        if isOpen { try database.connection.execute("ALTER TABLE segment RENAME TO unreadable") }

        // A part of the segment is quarantined.
        outbox.keep(change(.stub(number: 1, ids: 1...1)))
        var deletion = OutboxChange()
        deletion.remove(SegmentPlace(lane: 1, number: 1))
        outbox.keep(deletion)
        if isOpen { try database.connection.execute("ALTER TABLE unreadable RENAME TO segment") }
        let next = isOpen ? outbox : Outbox(database, keeping: outbox)
        try next.storeUnsaved()

        #expect(try database.summaries(lane: 1, after: nil, limit: 9).isEmpty)
        next.close()
    }

    @Test func `a full queue that is delivered leaves only the rows of its lanes in memory`() throws {
        let outbox = Outbox(try SQLiteOutbox())
        var stored = OutboxChange()
        for number in 1...1_000 as ClosedRange<Int64> { stored.save(.stub(number: number, ids: 1...1)) }
        var lane = lane
        (lane.start, lane.nextNumber) = (1, 1_001)
        stored.save(lane)
        try outbox.commit(stored, barrier: false)

        // Every tenth event is settled out of order, after the ten that follow it.
        for number in (1...1_000 as ClosedRange<Int64>).map({ $0 % 10 == 0 ? $0 - 9 : $0 + 1 }) {
            var change = OutboxChange()
            change.remove(SegmentPlace(lane: 1, number: number))
            lane.start = try #require(
                try outbox.summaries(of: lane, after: nil, limit: 2).first { $0.place.number != number }?.place.number
                    ?? lane.nextNumber
            )
            change.save(lane)
            outbox.keep(change)
            #expect(outbox.unsavedSize.events <= 10)
        }

        #expect(outbox.unsaved.segments.isEmpty && outbox.hasLeftovers)
        #expect(try outbox.summaries(of: lane, after: nil, limit: 9).isEmpty)
        try outbox.storeUnsaved()
        #expect(try outbox.storedRows().lanes.map(\.start) == [1_001])
        #expect(try outbox.storedRows().hasLeftovers)
    }

    @Test func `a decision alone deletes quarantined events that only an unsaved change has deleted`() throws {
        let outbox = Outbox(try SQLiteOutbox())
        var (lane, event) = (lane, QuarantinedEvent.stub(.stub(7)))
        event.lane = lane.id
        var stored = change(.stub(number: 1))
        stored.save(event, lane: 1)
        lane.nextNumber = 3
        lane.batches = [StoredBatch(id: .stub(1), segments: [SegmentPlace(lane: 1, number: 1)])]
        stored.save(lane)
        try outbox.commit(stored, barrier: false)
        // The batch is acknowledged and the event retried, but the disk has refused both.
        var unsaved = change(.stub(number: 3))
        unsaved.remove(SegmentPlace(lane: 1, number: 1))
        unsaved.remove(event, lane: 1)
        (lane.nextNumber, lane.batches) = (5, [])
        unsaved.save(lane)
        outbox.keep(unsaved)

        lane.start = lane.nextNumber
        var decision = OutboxChange()
        decision.empty(lane)
        outbox.decide(decision)
        #expect(outbox.hasRefused && outbox.unsaved.isEmpty)
        try outbox.commitDecisions()

        let rows = try outbox.storedRows()
        #expect(!outbox.hasUnsaved)
        #expect(rows.quarantined.isEmpty)
        #expect(rows.lanes == [lane] && rows.hasLeftovers)
        #expect(try outbox.summaries(of: lane, after: nil, limit: 9).isEmpty)
    }

    @Test func `a refused decision is stored with the next commit, below later changes of its rows`() throws {
        let outbox = Outbox(try SQLiteOutbox())
        var (lane, row, decision) = (lane, StateRow(), OutboxChange())
        (lane.start, lane.nextNumber, row.number) = (3, 3, 7)
        decision.empty(lane)
        decision.save(row)
        outbox.decide(decision)
        lane.nextNumber = 5
        var later = change(.stub(number: 3))
        later.save(lane)
        outbox.keep(later)

        try outbox.commit(OutboxChange(), barrier: true)

        #expect(try outbox.storedRows().lanes == [lane])
        #expect(try outbox.storedRows().state == row)
        #expect(try outbox.summaries(of: lane, after: nil, limit: 9).map(\.place.number) == [3])
    }

    private var lane: StoredLane { StoredLane(number: 1, id: LaneID(product: "T", service: "lines")) }

    private func change(_ segment: Segment) -> OutboxChange {
        var change = OutboxChange()
        change.save(segments: [segment])
        return change
    }
}

import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct OutboxBufferTests {
    @Test func `changes that follow each other become one that does the same`() throws {
        let segment = Segment.stub(number: 1, ids: 1...2)
        let held = Segment.stub(number: 3, ids: 3...4)
        var first = OutboxChange()
        first.inserted = [segment]
        first.insertedHeld = [held]
        var second = OutboxChange()
        second.removed = [segment.place]
        second.grantedLanes = [1]
        let step = InMemoryOutbox()
        let merged = InMemoryOutbox()
        var buffer = OutboxBuffer()

        for change in [first, second] {
            step.commit(change, barrier: false)
            buffer.add(change)
        }
        merged.commit(buffer.change, barrier: false)

        let summaries = merged.summaries(lane: 1, after: nil, limit: 9)
        #expect(summaries == step.summaries(lane: 1, after: nil, limit: 9))
        #expect(summaries.map(\.place) == [held.place])
    }

    @Test func `its size is that of the segments that wait`() {
        var change = OutboxChange()
        change.inserted = [.stub(number: 1, ids: 1...2)]
        change.insertedHeld = [.stub(number: 3, ids: 3...3)]
        var buffer = OutboxBuffer()

        buffer.add(change)

        #expect(!buffer.isEmpty)
        #expect(buffer.size.events == 3)
        #expect(buffer.size.bytes == 3 * (SegmentRecord.overhead + 1))
    }

    @Test func `what a lane has put in is taken out and returned`() {
        var change = OutboxChange()
        change.inserted = [.stub(lane: 1), .stub(lane: 2)]
        change.savedBatches = [StoredBatch(id: .stub(), segments: [SegmentPlace(lane: 1, number: 1)])]
        var buffer = OutboxBuffer()
        buffer.add(change)

        let taken = buffer.takeOut(StoredLane(number: 1, id: LaneID(product: "T", service: "lines")))

        #expect(buffer.inserted.keys.map(\.lane) == [2])
        #expect(buffer.savedBatches.isEmpty)
        #expect(taken.inserted.map(\.place.lane) == [1])
        #expect(taken.savedBatches.map(\.id) == change.savedBatches.map(\.id))
    }
}

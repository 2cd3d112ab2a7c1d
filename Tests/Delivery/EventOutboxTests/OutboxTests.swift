import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct OutboxTests {
    private let lane = LaneID(product: "T", service: "lines")

    @Test func `all that an outbox holds goes into another one, every segment to its place`() throws {
        let first = InMemoryOutbox()
        first.commit(try change(), barrier: false)
        let contents = try OutboxContents(of: first, lanes: first.lanes())
        let second = InMemoryOutbox()

        second.commit(contents.change, barrier: false)

        #expect(contents.pendingEvents == 4)
        #expect(contents.losses.isEmpty)
        #expect(try OutboxContents(of: second, lanes: second.lanes()).segments == contents.segments)
        #expect(second.batches(lane: 1) == first.batches(lane: 1))
    }

    @Test func `what is missing of a lane whose events are to be deleted counts as refused`() throws {
        let outbox = InMemoryOutbox()
        var change = try change()
        change.inserted.removeAll()
        outbox.commit(change, barrier: false)

        let contents = try OutboxContents(of: outbox, lanes: outbox.lanes(), refused: [1])

        let refused = try #require(contents.lanes.first?.ledger.dropped[.consentDenied])
        #expect(refused > 0 && refused == contents.lanes[0].ledger.droppedTotal)
        #expect(contents.losses.isEmpty)
    }

    @Test func `a segment that lost a record is counted, and its batch is dissolved`() throws {
        let outbox = InMemoryOutbox()
        var change = try change()
        change.inserted[0].records[30] ^= 0xFF
        outbox.commit(change, barrier: false)

        let contents = try OutboxContents(of: outbox, lanes: outbox.lanes())

        #expect(contents.losses == [lane: 1])
        #expect(contents.batches.isEmpty)
        #expect(contents.lanes.map(\.ledger.dropped) == [[.corrupted: 1]])
    }

    private func change() throws -> OutboxChange {
        var stored = StoredLane(number: 1, id: lane)
        stored.ledger.accepted = 4
        stored.nextNumber = 5
        var change = OutboxChange()
        change.inserted = [.stub(number: 1, ids: 1...2)]
        change.insertedHeld = [.stub(number: 3, ids: 3...4)]
        change.savedBatches = [StoredBatch(id: .stub(100), segments: [SegmentPlace(lane: 1, number: 1)])]
        change.lanes = [stored]
        return change
    }
}

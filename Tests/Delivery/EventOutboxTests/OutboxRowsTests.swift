import CoreTracker
import EventDeliveryTesting
import EventTracking
import Testing

@testable import EventOutbox

@Suite struct OutboxRowsTests {
    private let queue: TemporaryQueue
    private let lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))

    init() throws { queue = try TemporaryQueue() }

    @Test func `a lane continues behind its last segment, even if its row is older`() throws {
        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(segments: [.stub(number: 40, ids: 1...3)])
        }

        #expect(try queue.rows().lanes.map(\.nextNumber) == [43])
    }

    @Test func `a segment of no lane is damage, because its events must not become those of another lane`() throws {
        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(segments: [.stub(lane: 1), .stub(lane: 2)])
        }

        #expect(throws: OutboxError.corrupt) { try queue.rows() }
        // The checkpoint contains the lane.
        let other = StoredLane(number: 2, id: LaneID(product: "T", service: "other"))
        DurabilityCheckpoint([lane, other], number: 0).write(queue: queue.path)
        #expect(try queue.rows().lanes.map(\.number) == [1, 2])
    }

    @Test func `batches below the start of a lane are left out, and segments below it are noticed`() throws {
        var lane = lane
        (lane.start, lane.nextNumber) = (3, 5)
        lane.batches = [1, 3].map { number in
            StoredBatch(id: .stub(UInt16(number)), segments: [SegmentPlace(lane: 1, number: number)])
        }
        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(segments: [.stub(number: 1), .stub(number: 3)])
        }

        let rows = try queue.rows()

        #expect(rows.lanes.flatMap(\.batches).map(\.id) == [.stub(3)])
        #expect(rows.hasLeftovers)
        try queue.commit { $0.remove(SegmentPlace(lane: 1, number: 1)) }
        #expect(try !queue.rows().hasLeftovers)
    }

    @Test func `a quarantined event of another lane than its key's is left out`() throws {
        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(.stub(.stub(1)), lane: 1)
            change.save(.stub(.stub(2)), lane: 2)
            change.save(.stub(.stub(3), lane: LaneID(product: "T", service: "other")), lane: 1)
        }

        #expect(try queue.rows().quarantined.map(\.id) == [.stub(1)])
    }

    @Test func `a file that is older than its checkpoint has lost its last decisions`() throws {
        var state = StateRow()
        (state.number, state.decisions) = (6, ["ads": StateRow.Decision(.granted)])
        try queue.commit { $0.save(state) }
        DurabilityCheckpoint([], number: 6).write(queue: queue.path)
        #expect(try queue.rows().state == state)

        DurabilityCheckpoint([], number: 7).write(queue: queue.path)

        #expect(try queue.rows().state == nil)
    }
}

import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct StoredBatchTests {
    @Test func `batches are sent in the order of their first segments, then of their ids`() {
        let early = StoredBatch(id: .stub(9), segments: [SegmentPlace(lane: 1, number: 1)])
        let late = StoredBatch(id: .stub(1), segments: [SegmentPlace(lane: 1, number: 2)])
        let twin = StoredBatch(id: .stub(10), segments: early.segments)

        #expect(early.precedes(late))
        #expect(!late.precedes(early))
        #expect(early.precedes(twin))
        #expect(early.lane == 1)
    }
}

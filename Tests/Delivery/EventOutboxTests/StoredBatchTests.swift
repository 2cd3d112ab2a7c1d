import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct StoredBatchTests {
    @Test func `a batch starts with its first segment`() {
        let batch = StoredBatch(id: .stub(9), segments: [2, 5].map { SegmentPlace(lane: 1, number: $0) })

        #expect(batch.start == SegmentPlace(lane: 1, number: 2))
    }
}

import CoreTracker
import EventDeliveryAPI
import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct KeptChangesTests {
    @Test func `consecutive changes become one with the same effect`() throws {
        var random = SeededGenerator(seed: 61)

        for _ in 1...200 {
            var (kept, model, merged) = (KeptChanges(), OutboxModel(), OutboxModel())
            var sequence = OutboxSequence(lane: 1)
            for _ in 1...6 {
                let change = sequence.change(using: &random)
                kept.add(change)
                model.apply(change)
            }
            merged.apply(kept.change)

            let outbox = try SQLiteOutbox()
            try outbox.commit(kept.change, barrier: false)
            try model.expectEqual(outbox)
            try merged.expectEqual(outbox)
            outbox.close()
        }
    }

    @Test func `segments, batches and events that only memory has had leave nothing behind`() {
        var kept = KeptChanges()
        for number in 1...1_000 as ClosedRange<Int64> {
            let (place, id) = (SegmentPlace(lane: 1, number: number), EventID(high: 1, low: UInt64(number)))
            var change = OutboxChange()
            change.segments.saved = [.stub(number: number, ids: 1...1)]
            kept.add(change)
            change = OutboxChange()
            change.batches.saved = [StoredBatch(id: id, segments: [place])]
            change.quarantined.saved = [.stub(.stub(UInt16(number)))]
            kept.add(change)
            change = OutboxChange()
            (change.segments.removed, change.batches.removed) = ([place], [id])
            change.quarantined.removed = [.stub(UInt16(number))]
            kept.add(change)
        }
        let isEmpty = kept.change.isEmpty
        var change = OutboxChange()
        change.segments.removed = [SegmentPlace(lane: 1, number: 5_000)]
        change.batches.removed = [EventID(high: 2, low: 1)]
        kept.add(change)

        #expect(isEmpty)
        // The file has these.
        #expect(
            kept.change.segments.removed == change.segments.removed
                && kept.change.batches.removed == change.batches.removed
        )
    }

    @Test func `the size is that of the inserted segments that were not removed`() {
        var change = OutboxChange()
        change.segments.saved = [.stub(number: 1, ids: 1...2), .stub(number: 3, ids: 3...3)]
        var kept = KeptChanges()
        #expect(kept.isEmpty)

        kept.add(change)
        change = OutboxChange()
        change.segments.removed = [SegmentPlace(lane: 1, number: 1)]
        kept.add(change)

        #expect(!kept.isEmpty)
        #expect(kept.size == (1, SegmentRecord.overhead + 1))
    }
}

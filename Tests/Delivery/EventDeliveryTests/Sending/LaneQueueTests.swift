import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery
@testable import EventOutbox

@Suite struct LaneQueueTests {
    private let limits = BatchLimits(events: 10, bodyBytes: 1_000)

    @Test(arguments: [(0, 1_000), (400, 400), (9_000, 1_000)])
    func `a remembered body limit lowers the destination's limit and never raises it`(learned: Int, bytes: Int) {
        var lane = makeLane()

        lane.stored.receiver.maximumBodyBytes = learned

        #expect(lane.limits?.bodyBytes == bytes)
    }

    @Test func `a lane without a destination has no limits`() {
        #expect(LaneQueue(stored: makeLane().stored, destination: nil).limits == nil)
    }

    @Test func `counts are zero after all counted segments are removed`() {
        var lane = makeLane()
        let segment = Segment.stub().summary

        lane.account(segment, sign: 1)
        #expect(lane.stored.counts.total == 2 && lane.stored.counts.bytes == segment.bytes)
        lane.account(segment, sign: -1)

        #expect(lane.stored.counts == LaneCounts())
        #expect(!lane.stored.isDamaged)
    }

    @Test func `counts below zero show that rows are missing`() {
        var lane = makeLane()

        lane.account(Segment.stub().summary, sign: -1)

        #expect(lane.stored.isDamaged)
    }

    @Test func `if another outbox replaces the current one, its rows are used and requests stay in flight`() {
        var lane = makeLane()
        lane.batches = [StoredBatch(id: .stub(1), segments: [SegmentPlace(lane: 1, number: 1)])]
        lane.leases = [.stub(1): LaneQueue.LeaseRecord(faults: 0, start: MonotonicInstant(nanoseconds: 0))]
        #expect(lane.batchedPlaces == [SegmentPlace(lane: 1, number: 1)])
        let other = StoredBatch(id: .stub(2), segments: [SegmentPlace(lane: 3, number: 7)])

        lane.restore(StoredLane(number: 3, id: lane.id), batches: [other])

        #expect(lane.batches == [other])
        #expect(lane.leases.keys.elementsEqual([.stub(1)]))
        #expect(lane.stored.number == 3)
        #expect(lane.stored.ledger == LaneLedger())
        #expect(lane.stored.purpose == "analytics")
    }

    @Test func `a lane with events of another purpose keeps that purpose, and sends only if both are granted`() throws {
        var lane = makeLane()
        var stored = StoredLane(number: 1, id: lane.id)
        stored.purpose = "marketing"
        stored.counts.count(Segment.stub().summary, sign: 1)

        lane.restore(stored, batches: [])

        #expect(lane.stored.purpose == "marketing")
        #expect(lane.hasPurpose("marketing") && lane.hasPurpose("analytics") && !lane.hasPurpose("other"))
        var context = try makeContext()
        #expect(lane.isGranted(context))
        context.consent = { $0.name == "marketing" ? .denied : .granted }
        #expect(!lane.isGranted(context))
    }

    @Test func `the Retry-After of a receiver applies, even if its batch was removed`() throws {
        var lane = makeLane()
        let batch = StoredBatch(id: .stub(), segments: [SegmentPlace(lane: 1, number: 1)])
        lane.leases = [batch.id: LaneQueue.LeaseRecord(faults: 0, start: MonotonicInstant(nanoseconds: 0))]
        let lease = Lease(
            batch: OutgoingBatch(id: batch.id, key: "", attempt: 1, events: []),
            stored: batch,
            segments: [],
            number: 0
        )
        let asked = RequestOutcome(
            result: .retry(after: .seconds(60)),
            attempt: .responded(HTTPResponse(status: 503)),
            bodyBytes: 100
        )
        let context = try makeContext()
        let now = context.now.monotonic
        var (random, change) = (SeededGenerator(seed: 1), LaneChange())

        _ = lane.complete(lease, asked, context, using: &random, change: &change)

        #expect(lane.leases.isEmpty)
        #expect(!lane.retryState.isOpen(at: now.advanced(by: .seconds(59))))
        #expect(lane.retryState.isOpen(at: now.advanced(by: .seconds(67))))
        #expect(change.outbox.lanes.saved.map(\.retryState.reason) == ["retry_after"])
    }

    private func makeLane() -> LaneQueue {
        let destination = LineDestination(limits: limits)
        return LaneQueue(stored: StoredLane(number: 1, id: destination.lane), destination: destination)
    }

    private func makeContext() throws -> LaneContext {
        LaneContext(
            outbox: BufferedOutbox(try SQLiteOutbox()),
            now: StoredMoment(
                wall: Timestamp(microseconds: 0),
                monotonic: MonotonicInstant(nanoseconds: 0),
                boot: 1
            ),
            expiry: Expiry(age: .seconds(3_600)),
            newID: { .stub() }
        )
    }
}

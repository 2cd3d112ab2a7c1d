import EventDeliveryTesting
import Testing

@testable import EventDelivery
@testable import EventOutbox

@Suite struct LaneQueueTests {
    private let limits = BatchLimits(events: 10, bodyBytes: 1_000)

    @Test(arguments: [(0, 1_000), (400, 400), (9_000, 1_000)])
    func `a remembered body limit lowers the destination's limit and never raises it`(learned: Int, bytes: Int) {
        var lane = makeLane()

        lane.stored.learnedBodyBytes = learned

        #expect(lane.limits?.bodyBytes == bytes)
    }

    @Test func `a lane without a destination has no limits`() {
        let lane = LaneQueue(stored: makeLane().stored, destination: nil, consent: .initial(.granted))

        #expect(lane.limits == nil)
    }

    @Test func `counts are zero after all counted segments are removed`() {
        var lane = makeLane()
        let segment = Segment.stub().summary

        lane.account(segment, sign: 1)
        lane.accountHeld(segment, sign: 1)
        #expect(lane.usage.totalEvents == 2)
        #expect(lane.usage.heldEvents == 2)

        lane.account(segment, sign: -1)
        lane.accountHeld(segment, sign: -1)
        #expect(lane.usage.totalEvents == 0 && lane.usage.heldEvents == 0)
        #expect(lane.usage.bytes == 0 && lane.usage.heldBytes == 0)
    }

    @Test func `if another outbox replaces the current one, its state is reset and requests stay in flight`() {
        var lane = makeLane()
        lane.batches = [StoredBatch(id: .stub(), segments: [SegmentPlace(lane: 1, number: 1)])]
        lane.leases = [.stub(): (0, MonotonicInstant(nanoseconds: 0))]
        #expect(lane.batchedPlaces == [SegmentPlace(lane: 1, number: 1)])

        lane.resetStored()

        #expect(lane.batches.isEmpty)
        #expect(lane.leases.keys.elementsEqual([.stub()]))
        #expect(lane.stored.number == 0)
        #expect(lane.stored.ledger == LaneLedger())
        #expect(lane.stored.purpose == "analytics")
    }

    @Test func `the wait that a receiver asks for applies even if its batch has been given up`() {
        var lane = makeLane()
        let batch = StoredBatch(id: .stub(), segments: [SegmentPlace(lane: 1, number: 1)])
        lane.leases = [batch.id: (0, MonotonicInstant(nanoseconds: 0))]
        let lease = Lease(
            batch: OutgoingBatch(id: batch.id, key: "", attempt: 1, events: []),
            stored: batch,
            segments: [],
            word: lane.consent,
            erasures: 0,
            isLastHalf: false
        )
        let asked = Settlement(
            result: .retry(after: .seconds(60)),
            attempt: .responded(HTTPResponse(status: 503)),
            bodyBytes: 100
        )
        let now = StoredMoment(wall: Timestamp(microseconds: 0), monotonic: MonotonicInstant(nanoseconds: 0), boot: 1)
        let context = LaneContext(
            outbox: InMemoryOutbox(),
            now: now,
            expiry: Expiry(age: .seconds(3_600)),
            newID: { .stub() }
        )
        var (random, change) = (SeededGenerator(seed: 1), LaneChange())

        _ = lane.complete(lease, asked, context, using: &random, change: &change)

        #expect(lane.leases.isEmpty)
        #expect(!lane.retryState.isOpen(at: now.monotonic.advanced(by: .seconds(59))))
        #expect(lane.retryState.isOpen(at: now.monotonic.advanced(by: .seconds(67))))
        #expect(change.outbox.lanes.map(\.retryState.reason) == ["retry_after"])
    }

    @Test func `granted events count as deliverable even if they cannot be read`() {
        var lane = makeLane()
        lane.accountHeld(Segment.stub().summary, sign: 1)

        lane.grantUnread()

        #expect(lane.usage.heldEvents == 0 && lane.usage.heldBytes == 0)
        #expect(lane.usage.events == [0, 2, 0])
        #expect(lane.usage.bytes == Segment.stub().summary.bytes)
        #expect(lane.isDamaged)
    }

    private func makeLane() -> LaneQueue {
        let destination = LineDestination(limits: limits)
        return LaneQueue(
            stored: StoredLane(number: 1, id: destination.lane),
            destination: destination,
            consent: .initial(.granted)
        )
    }
}

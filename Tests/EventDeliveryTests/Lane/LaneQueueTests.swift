import EventDeliveryTesting
import Testing

@testable import EventDelivery

@Suite struct LaneQueueTests {
    private let limits = BatchLimits(events: 10, bodyBytes: 1_000)

    @Test(arguments: [(0, 1_000), (400, 400), (9_000, 1_000)])
    func `what a 413 has taught lowers the limit and never raises it`(learned: Int, bytes: Int) {
        var lane = makeLane()

        lane.stored.learnedBodyBytes = learned

        #expect(lane.limits?.bodyBytes == bytes)
    }

    @Test func `a lane without a destination has no limits`() {
        let lane = LaneQueue(stored: makeLane().stored, destination: nil, consent: .initial(.granted))

        #expect(lane.limits == nil)
    }

    @Test func `packs that are counted and taken out again leave nothing`() {
        var lane = makeLane()
        let pack = Pack.stub().summary

        lane.account(pack, sign: 1)
        lane.accountHeld(pack, sign: 1)
        #expect(lane.usage.totalEvents == 2)
        #expect(lane.usage.heldEvents == 2)

        lane.account(pack, sign: -1)
        lane.accountHeld(pack, sign: -1)
        #expect(lane.usage.totalEvents == 0 && lane.usage.heldEvents == 0)
        #expect(lane.usage.bytes == 0 && lane.usage.heldBytes == 0)
    }

    @Test func `when another outbox takes the place of its own it forgets that one, and requests stay under way`() {
        var lane = makeLane()
        lane.batches = [StoredBatch(id: .stub(), packs: [PackPlace(lane: 1, number: 1)])]
        lane.leases = [.stub(): 0]
        #expect(lane.batchedPlaces == [PackPlace(lane: 1, number: 1)])

        lane.forgetStored()

        #expect(lane.batches.isEmpty)
        #expect(lane.leases == [.stub(): 0])
        #expect(lane.stored.number == 0)
        #expect(lane.stored.ledger == LaneLedger())
        #expect(lane.stored.purpose == "analytics")
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

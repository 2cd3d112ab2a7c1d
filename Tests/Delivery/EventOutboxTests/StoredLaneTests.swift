import CoreTracker
import EventDeliveryTesting
import EventTracking
import Testing

@testable import EventOutbox

@Suite struct StoredLaneTests {
    @Test func `a valid row that is older than the checkpoint counts the numbers in between as accepted`() {
        let merged = StoredLane.merging([lane(next: 5, accepted: 4)], with: checkpoint([lane(next: 9, accepted: 8)]))

        #expect(merged.map(\.nextNumber) == [9])
        #expect(merged.map(\.ledger.accepted) == [8])
    }

    @Test func `a valid row that is newer than the checkpoint stays unchanged`() {
        let row = lane(next: 9, accepted: 8)

        #expect(StoredLane.merging([row], with: checkpoint([lane(next: 5, accepted: 4)])) == [row])
    }

    @Test func `a damaged or missing row is replaced by that of the checkpoint`() {
        var damaged = lane(next: 1, accepted: 0)
        damaged.isDamaged = true
        let lanes = [lane(next: 5, accepted: 4), lane(number: 2, next: 3, accepted: 2)]

        let merged = StoredLane.merging([damaged], with: checkpoint(lanes))

        #expect(merged.map(\.number) == [1, 2])
        #expect(merged.map(\.nextNumber) == [5, 3])
        #expect(merged.map(\.isDamaged) == [true, true])
    }

    @Test func `a row with an impossible number is left out, and a damaged one without a checkpoint stays`() {
        var damaged = lane(next: 1, accepted: 0)
        damaged.isDamaged = true

        #expect(StoredLane.merging([lane(number: 0), lane(number: -1), damaged], with: nil) == [damaged])
    }

    @Test func `of two lanes with the same name, the first one is used`() {
        let twin = StoredLane(number: 7, id: lane().id)

        #expect(StoredLane.merging([twin, lane()], with: nil).map(\.number) == [1])
    }

    @Test func `an event that is taken out of quarantine keeps its user and its decision`() {
        var lane = lane(next: 5, accepted: 4)
        lane.ledger.quarantined = 1
        let event = QuarantinedEvent.stub(.stub(3), user: UserHash(rawValue: 7), decision: 9)
        let now = Segment.stub().stored

        let segment = lane.takeBack(event, at: now)

        #expect(segment.place == SegmentPlace(lane: 1, number: 5))
        #expect(segment.user == UserHash(rawValue: 7) && segment.decision == 9 && segment.key == "k")
        #expect(segment.priority == .high)
        #expect(segment.read().map(\.id) == [.stub(3)])
        #expect(lane.nextNumber == 6 && lane.ledger.quarantined == 0)
    }

    private func checkpoint(_ lanes: [StoredLane]) -> DurabilityCheckpoint { DurabilityCheckpoint(lanes, number: 0) }

    private func lane(number: Int = 1, next: Int64 = 1, accepted: Int = 0) -> StoredLane {
        var lane = StoredLane(number: number, id: LaneID(product: "T", service: "lane\(number)"))
        lane.nextNumber = next
        lane.ledger.accepted = accepted
        return lane
    }
}

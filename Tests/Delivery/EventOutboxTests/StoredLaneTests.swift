import CoreTracker
import EventBuffer
import Testing

@testable import EventOutbox

@Suite struct StoredLaneTests {
    @Test func `a sound row that the mark is ahead of counts the numbers in between as accepted`() {
        let merged = StoredLane.merging(
            [lane(next: 5, accepted: 4)],
            with: DurabilityCheckpoint([lane(next: 9, accepted: 8)])
        )

        #expect(merged.map(\.nextNumber) == [9])
        #expect(merged.map(\.ledger.accepted) == [8])
    }

    @Test func `a sound row that is ahead of the mark stays as it is`() {
        let row = lane(next: 9, accepted: 8)

        #expect(StoredLane.merging([row], with: DurabilityCheckpoint([lane(next: 5, accepted: 4)])) == [row])
    }

    @Test func `a damaged or missing row is replaced by the mark`() {
        var damaged = lane(next: 1, accepted: 0)
        damaged.isDamaged = true
        let mark = DurabilityCheckpoint([lane(next: 5, accepted: 4), lane(number: 2, next: 3, accepted: 2)])

        let merged = StoredLane.merging([damaged], with: mark)

        #expect(merged.map(\.number) == [1, 2])
        #expect(merged.map(\.nextNumber) == [5, 3])
    }

    @Test func `a row with an impossible number is left out, a damaged one without a mark stays`() {
        var damaged = lane(next: 1, accepted: 0)
        damaged.isDamaged = true

        #expect(StoredLane.merging([lane(number: 0), lane(number: -1), damaged], with: nil) == [damaged])
    }

    private func lane(number: Int = 1, next: Int64 = 1, accepted: Int = 0) -> StoredLane {
        var lane = StoredLane(number: number, id: LaneID(product: "T", service: "lane\(number)"))
        lane.nextNumber = next
        lane.ledger.accepted = accepted
        return lane
    }
}

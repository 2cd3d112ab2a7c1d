import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct SQLiteTableTests {
    @Test func `counts with any names are read as they were written`() {
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.dropped = [.bufferFull: 2, .rule("name_too_long"): 7]
        lane.ledger.adjusted = ["value_too_long": 3]
        var read = StoredLane(number: 1, id: lane.id)

        read.readDropped(lane.droppedText)
        read.readAdjusted(lane.adjustedText)

        #expect(read.ledger == lane.ledger)
    }

    @Test func `a line without a count is left out`() {
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))

        lane.readDropped("buffer_full\t2\nno count\nx\ty\n\n")

        #expect(lane.ledger.dropped == [.bufferFull: 2])
    }

    @Test func `each column of a lane is in its checksum`() {
        let lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        let failure = StoredFailure(time: Timestamp(microseconds: 1), kind: "status")
        let changes: [(inout StoredLane) -> Void] = [
            { $0.number = 2 }, { $0.nextNumber = 2 }, { $0.void = 2 }, { $0.purpose = "ads" }, { $0.counts.bytes = 1 },
            { $0.counts.events = [1, 0, 0] }, { $0.counts.events = [0, 1, 0] }, { $0.lastFailure = failure },
            { $0.ledger.accepted = 1 }, { $0.ledger.delivered = 1 },
            { $0.ledger.quarantined = 1 }, { $0.ledger.dropped = [.closed: 1] }, { $0.ledger.adjusted = ["a": 1] },
            { $0.learnedBodyBytes = 1 }, { $0.retryState.failures = 1 }, { $0.retryState.reason = "a" },
            { $0.retryState.pausedSince = Timestamp(microseconds: 1) }, { $0.retryState.boot = 1 },
            { $0.retryState.remaining = .seconds(1) }, { $0.lastSuccess = Timestamp(microseconds: 1) },
        ]

        let checksums = changes.map { change in
            var changed = lane
            change(&changed)
            return changed.checksum
        }

        #expect(Set(checksums + [lane.checksum]).count == changes.count + 1)
    }
}

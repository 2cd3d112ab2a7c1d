import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct BufferedOutboxTests {
    @Test func `over memory it keeps the contract of outboxes`() throws {
        try OutboxContract.check(BufferedOutbox(InMemoryOutbox()))
    }

    @Test func `F59 kept and committed changes read the same as in one outbox`() throws {
        var random = SeededGenerator(seed: 60)

        for number in 1...2_000 {
            let outbox = BufferedOutbox(InMemoryOutbox())
            let model = InMemoryOutbox()
            var sequence = OutboxSequence(lane: number)
            for _ in 1...8 {
                let change = sequence.change(using: &random)
                model.commit(change, barrier: false)
                if Bool.random(using: &random) {
                    outbox.keep(change)
                } else {
                    try outbox.commit(change, barrier: false)
                }
                try sequence.expectEqual(outbox, model)
            }
            try outbox.commit(OutboxChange(), barrier: true)
            try sequence.expectEqual(outbox.base, model)
        }
    }

    @Test func `with nothing behind it, a purge leaves what memory keeps of other lanes`() throws {
        let outbox = BufferedOutbox(AbsentOutbox(.full))
        let lanes = (1...2).map { StoredLane(number: $0, id: LaneID(product: "T", service: "\($0)")) }
        var change = OutboxChange()
        change.inserted = lanes.map { Segment.stub(lane: $0.number) }
        outbox.keep(change)

        try outbox.purge([lanes[0]])

        #expect(try outbox.summaries(lane: 1, after: nil, limit: 9).isEmpty)
        #expect(try outbox.summaries(lane: 2, after: nil, limit: 9).map(\.place) == [change.inserted[1].place])
    }
}

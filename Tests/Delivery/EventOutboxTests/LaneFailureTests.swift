import CoreTracker
import EventDeliveryTesting
import EventTracking
import Testing

@testable import EventOutbox

@Suite struct LaneFailureTests {
    @Test func `a lane's row contains its failure and its purpose, and its checksum covers both`() throws {
        let queue = try TemporaryQueue()
        let outbox = try queue.outbox()
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.purpose = "marketing"
        lane.receiver.lastFailure = LaneFailure(
            time: Timestamp(microseconds: 5),
            kind: .retry,
            status: 503,
            code: "busy",
            response: "come\tback\nlater",
            receiver: "collector.example:443"
        )
        var change = OutboxChange()
        change.save(lanes: [lane])

        try outbox.commit(change, barrier: true)

        #expect(try outbox.lanes() == [lane])
        #expect(lane.receiver.lastFailure?.response == "come back later")
        outbox.close()
        lane.purpose = ""
        try queue.forge(lane)
        #expect(try queue.read { try $0.lanes() }.map(\.isDamaged) == [true])
    }

    @Test func `texts are shortened between characters`() {
        let long = String(repeating: "é", count: 300)

        let failure = LaneFailure(time: Timestamp(microseconds: 1), kind: .retry, code: long, response: long)

        #expect(failure.response == String(repeating: "é", count: 256))
        #expect(failure.code == String(repeating: "é", count: 64))
    }

    @Test(arguments: [Int64.min, .max])
    func `a failure with an impossible time is left out`(microseconds: Int64) throws {
        let queue = try TemporaryQueue()
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.receiver.lastFailure = LaneFailure(time: Timestamp(microseconds: microseconds), kind: .retry)

        try queue.commit { $0.save(lanes: [lane]) }

        let found = try #require(try queue.read { try $0.lanes() }.first)
        #expect(found.receiver.lastFailure == nil && !found.isDamaged)
    }
}

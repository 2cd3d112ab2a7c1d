import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct StoredFailureTests {
    @Test func `a lane's row contains its failure and its purpose, and its checksum covers both`() throws {
        let queue = try TemporaryQueue()
        let outbox = try queue.outbox()
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.purpose = "marketing"
        lane.lastFailure = StoredFailure(
            time: Timestamp(microseconds: 5),
            kind: "status",
            status: 503,
            code: "busy",
            response: "come\tback\nlater",
            receiver: "collector.example:443"
        )
        var change = OutboxChange()
        change.lanes = [lane]

        try outbox.commit(change, barrier: true)

        #expect(try outbox.lanes() == [lane])
        #expect(lane.lastFailure?.response == "come back later")
        try outbox.connection.execute("UPDATE lane SET purpose = ''")
        #expect(try outbox.lanes().map(\.isDamaged) == [true])
    }

    @Test func `texts are shortened between characters`() {
        let long = String(repeating: "é", count: 300)

        let failure = StoredFailure(time: Timestamp(microseconds: 1), kind: long, code: long, response: long)

        #expect(failure.response == String(repeating: "é", count: 256))
        #expect(failure.kind.utf8.count == 128 && failure.code.utf8.count == 128)
        #expect(StoredFailure(text: failure.text) == failure)
    }

    @Test(arguments: [
        "", "1\tstatus\t503\tbusy\tc", "x\ta\t1\tb\tc\td", "1\ta\t-1\tb\tc\td", "9223372036854775807\ta\t1\tb\tc\td",
    ])
    func `a text that the library never writes is no failure`(text: String) {
        #expect(StoredFailure(text: text) == nil)
    }

}

import Testing

@testable import EventDelivery

@Suite struct AttemptTests {
    @Test func `an answer tells its status, its start and the receiver's time`() {
        let headers = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        let attempt = Attempt.answered(HTTPResponse(status: 503, headers: headers, body: Array("busy".utf8)))

        #expect(attempt.cause == "status 503")
        #expect(attempt.answer == "busy")
        #expect(attempt.receiverTime?.seconds == 784_111_777)
    }

    @Test func `a failure tells its error and nothing of an answer`() {
        let attempt = Attempt.failed(.timedOut)

        #expect(attempt.cause == "\(TransportError.timedOut)")
        #expect(attempt.answer.isEmpty)
        #expect(attempt.receiverTime == nil)
    }
}

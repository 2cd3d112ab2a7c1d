import EventOutbox
import Foundation
import Testing

@testable import EventDelivery

@Suite struct AttemptTests {
    @Test func `a response has a status, a snippet and the receiver's time`() {
        let headers = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        let attempt = Attempt.responded(HTTPResponse(status: 503, headers: headers, body: Array("busy".utf8)))

        #expect(attempt.cause == "status 503")
        #expect(attempt.responseText == "busy")
        #expect(attempt.receiverTime?.seconds == 784_111_777)
    }

    @Test(arguments: [
        (0, false, 30...30), (916_000, false, 946...946), (916_000, true, 30...60), (20_000, true, 30...31),
    ])
    func `a deadline counts the bytes that are sent`(bytes: Int, allowsGzip: Bool, seconds: ClosedRange<Int>) throws {
        let url = try #require(URL(string: "https://collector.example/"))
        let body = [UInt8](repeating: 65, count: bytes)

        var request = HTTPRequest(url: url, body: body, allowsGzip: allowsGzip)

        request.pack()
        let deadline = LaneRunner.deadline(of: request)

        #expect(Duration.seconds(seconds.lowerBound) <= deadline && deadline <= .seconds(seconds.upperBound))
    }

    @Test func `a failure has an error and no response`() {
        let attempt = Attempt.failed(.timedOut, within: .seconds(31))

        #expect(attempt.cause == "no response within 31 s")
        #expect(attempt.responseText.isEmpty)
        #expect(attempt.receiverTime == nil)
    }

    @Test(arguments: [(0, nil), (3_600, nil), (-3_600, nil), (3_601, "3601"), (-259_200, "-259200")])
    func `a clock that differs from the receiver's by over an hour is a failure, and its time is not trusted`(
        ahead: Int64,
        code: String?
    ) {
        let receiver = Timestamp(microseconds: 1_772_359_200_000_000)
        let now = receiver.advanced(bySeconds: ahead)
        let answer = Attempt.responded(HTTPResponse(status: 200, headers: ["Date": receiver.httpDate]))

        #expect(answer.clockFailure(at: now)?.code == code)
        #expect(answer.agreedTime(at: now) == (code == nil ? receiver : nil))
        #expect(Attempt.responded(HTTPResponse(status: 200)).clockFailure(at: now) == nil)
    }
}

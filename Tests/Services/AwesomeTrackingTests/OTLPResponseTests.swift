import EventDelivery
import EventDeliveryTesting
import Testing

@testable import AwesomeTracking

@Suite struct OTLPResponseTests {
    @Test(arguments: [
        "", "{}", "[]", "null", "nonsense", #"{"partialSuccess":null}"#, #"{"partialSuccess":{}}"#,
        #"{"partialSuccess":{"errorMessage":"a warning"}}"#, #"{"partialSuccess":{"rejectedLogRecords":"0"}}"#,
        #"{"partialSuccess":{"rejectedLogRecords":-1}}"#, #"{"partialSuccess":{"rejectedLogRecords":"many"}}"#,
    ])
    func `a response that rejects nothing acknowledges all`(body: String) {
        #expect(result(body) == .delivered)
    }

    @Test(arguments: [
        (#"{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"bad"}}"#, 2),
        (#"{"partialSuccess":{"rejectedLogRecords":1}}"#, 1),
        (#"{"partialSuccess":{"rejectedLogRecords":"3"}}"#, 3),
        (#"{"partialSuccess":{"rejectedLogRecords":"9223372036854775807"}}"#, 3),
    ])
    func `as many events as are rejected are dropped, but no more than the batch has`(body: String, lost: Int) {
        let expected = Dictionary(
            uniqueKeysWithValues: (0..<lost).map { ($0, BatchResult.EventResult.dropped("rejected_by_receiver")) }
        )

        #expect(result(body) == .partial(expected))
    }

    @Test func `an empty batch loses no events`() {
        let response = HTTPResponse(status: 200, body: Array(#"{"partialSuccess":{"rejectedLogRecords":1}}"#.utf8))

        #expect(OTLPResponse.result(for: response, events: 0) == .delivered)
    }

    private func result(_ body: String) -> BatchResult {
        OTLPResponse.result(for: HTTPResponse(status: 200, body: Array(body.utf8)), events: 3)
    }
}

@Suite struct ResponsePolicyOTLPTests {
    @Test(arguments: 200...599)
    func `only 429, 502, 503 and 504 are repeated unchanged`(status: Int) {
        let result = ResponsePolicy.otlp.result(for: HTTPResponse(status: status))

        #expect((result == .retry(after: nil)) == [429, 502, 503, 504].contains(status))
    }

    @Test(arguments: [("", BatchResult.delivered), (" \n", .delivered), ("<p>Sign in", .paused(.intercepted))])
    func `only an HTML body that is not blank is a page`(body: String, result: BatchResult) throws {
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array(body.utf8))
        let destination = try OTLPDestination.stub()

        #expect(destination.result(for: response, of: try destination.batch(of: [.stub()])) == result)
    }

    @Test func `a wait that the receiver asks for is respected`() {
        let response = HTTPResponse(status: 503, headers: ["Retry-After": "7"])

        #expect(ResponsePolicy.otlp.result(for: response) == .retry(after: .seconds(7)))
    }
}

import EventDelivery
import Testing

@testable import AdobeTracker

@Suite struct AdobeResponseTests {
    @Test(
        arguments: [
            (200, BatchResult.delivered), (202, .delivered), (204, .delivered), (207, .delivered),
            (302, .paused(.intercepted)), (400, .refused("status 400")), (401, .paused(.credentials)),
            (403, .paused(.credentials)), (404, .paused(.endpoint)), (408, .retry(after: nil)),
            (409, .suspect("status 409")), (413, .tooLarge), (415, .paused(.protocolMismatch)),
            (422, .refused("status 422")), (429, .retry(after: nil)), (500, .suspect("status 500")),
            (502, .retry(after: nil)), (503, .retry(after: nil)), (504, .retry(after: nil)),
        ]
    )
    func `each status has its meaning`(status: Int, result: BatchResult) {
        #expect(AdobeResponse.result(for: HTTPResponse(status: status), events: 3) == result)
    }

    @Test(
        arguments: [
            (400, "EXEG-0002-400"), (400, "EXEG-0003-400"), (422, "EXEG-0004-422"), (422, "EXEG-0010-422"),
            (422, "EXEG-0011-422"), (422, "EXEG-0012-422"), (422, "EXEG-0013-422"),
        ]
    )
    func `an unknown or disabled datastream, sandbox or namespace pauses the lane`(status: Int, code: String) {
        #expect(result(status, #"{"type":"https://ns.adobe.com/aep/errors/\#(code)"}"#) == .paused(.endpoint))
    }

    @Test(
        arguments: [
            ("0304", "The unexpected identities `acct#0` were provided for the following event: `#1`."),
            ("0306", "There was no primary identity provided for event `#1`."), ("0306", "event #{1} has none"),
            ("0308", "Event `#1` contains an ID (`acct#0, event #2`) in invalid format."),
            ("0304", "identities event #0 for the following event: #1."),
            ("0304", "`event #2`: following event `#{1}`"),
        ]
    )
    func `a fault of one event refuses that one and sends the others again`(code: String, detail: String) {
        #expect(fault(code, detail) == .partial([0: .retry, 1: .refused("Bad field"), 2: .retry]))
    }

    @Test(arguments: ["event #3", "event #99999999999999999999", "no index", "#", "#1", "event 1", "prevent #1"])
    func `a fault that names no event of the batch starts bisecting`(detail: String) {
        #expect(fault("0306", detail) == .refused("Bad field"))
    }

    @Test(
        arguments: [
            ("0304", "Event #1 has the identities `event #0`"), ("0304", "event #1 (`a`)"),
            ("0308", "The ID `event #1` of the event is invalid."), ("0308", "An ID of event #1"),
        ]
    )
    func `an index that an id can quote starts bisecting`(code: String, detail: String) {
        #expect(fault(code, detail) == .refused("Bad field"))
    }

    @Test(arguments: [("0305", "an invalid identity (`acct#0`)"), ("0305", "(`event #0`)"), ("0102", "event #1")])
    func `only a code that names an event is read for its index`(code: String, detail: String) {
        #expect(fault(code, detail) == .refused("Bad field"))
    }

    @Test(arguments: 200...207)
    func `a status from 200 to 207 is a success`(status: Int) {
        #expect(result(status, #"{"requestId":"r"}"#) == .delivered)
    }

    @Test(arguments: [200, 202, 207], ["errors", "warnings"])
    func `events that were ignored for lack of consent are lost with every success`(status: Int, list: String) {
        let lost = BatchResult.EventResult.dropped("ignored for lack of consent")
        let body = #"{"requestId":"r","\#(list)":[{"type":"https://ns.adobe.com/aep/errors/EXEG-0301-200"}]}"#

        #expect(result(status, body) == .partial([0: lost, 1: lost, 2: lost]))
    }

    @Test func `another warning does not change a success`() {
        let body = #"{"requestId":"r","warnings":[{"type":"https://ns.adobe.com/aep/errors/EXEG-0204-200"}]}"#

        #expect(result(200, body) == .delivered)
    }

    @Test func `events that were ignored for lack of consent are lost and not sent again`() {
        let lost = BatchResult.EventResult.dropped("ignored for lack of consent")
        let body = #"{"requestId":"r","errors":[{"type":"https://ns.adobe.com/aep/errors/EXEG-0301-200"}]}"#

        #expect(result(200, body) == .partial([0: lost, 1: lost, 2: lost]))
        #expect(
            result(200, #"{"type":"https://ns.adobe.com/aep/errors/EXEG-0301-200"}"#)
                == .partial([0: lost, 1: lost, 2: lost])
        )
    }

    @Test func `a failure behind the Edge Network is accepted and not repeated`() {
        let body = #"""
            {"requestId":"r","errors":[{"type":"https://ns.adobe.com/aep/errors/EXEG-0201-503","title":"#0 #1"}]}
            """#

        #expect(result(207, body) == .delivered)
    }

    @Test func `a rate limit waits as long as the response asks`() {
        let response = HTTPResponse(status: 429, headers: ["Retry-After": "17"])

        #expect(AdobeResponse.result(for: response, events: 1) == .retry(after: .seconds(17)))
    }

    @Test(arguments: ["", "[]", "7", #"{"type":7,"errors":7}"#, #"{"errors":[7,null,[]]}"#, "\u{0}"])
    func `a body that is not a problem object does not change the meaning of the status`(body: String) {
        #expect(result(202, body) == .delivered)
        #expect(result(400, body) == .refused("status 400"))
    }

    @Test(arguments: ["", " \n"])
    func `a blank body is an acknowledgement, even if its type is HTML`(body: String) {
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array(body.utf8))

        #expect(AdobeResponse.result(for: response, events: 2) == .delivered)
    }

    @Test func `an HTML page instead of a response is not a success`() {
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8))

        #expect(AdobeResponse.result(for: response, events: 1) == .paused(.intercepted))
    }

    private func fault(_ code: String, _ detail: String) -> BatchResult {
        let type = "https://ns.adobe.com/aep/errors/EXEG-\(code)-400"
        return result(400, #"{"type":"\#(type)","title":"Bad\nfield","detail":"\#(detail)"}"#)
    }

    private func result(_ status: Int, _ body: String) -> BatchResult {
        AdobeResponse.result(for: HTTPResponse(status: status, body: Array(body.utf8)), events: 3)
    }
}

import EventDelivery
import Testing

@testable import BrazeTracker

@Suite struct BrazeResponseTests {
    @Test(
        arguments: [
            (200, BatchResult.delivered), (201, .delivered), (204, .delivered), (302, .paused(.intercepted)),
            (400, .refused("status 400")), (401, .paused(.credentials)), (403, .paused(.credentials)),
            (404, .paused(.endpoint)), (413, .tooLarge), (429, .retry(after: nil)), (500, .retry(after: nil)),
            (502, .retry(after: nil)), (503, .retry(after: nil)), (504, .retry(after: nil)),
        ]
    )
    func `each status has its meaning`(status: Int, result: BatchResult) {
        #expect(BrazeResponse.result(for: HTTPResponse(status: status), events: 3) == result)
    }

    @Test func `of a partial success only the named events are refused`() {
        let body = #"""
            {"message":"success","events_processed":1,"errors":[
            {"type":"'time' is required","input_array":"events","index":1},{"type":"no array","index":2}]}
            """#

        let result = result(201, body, events: 3)

        #expect(result == .partial([1: .refused("'time' is required"), 2: .refused("no array")]))
    }

    @Test(
        arguments: [
            #"{"message":"success","errors":["a plain string",null,7,[],{"type":"x"},{"index":"1"},{"index":1.5}]}"#,
            #"{"message":"success","errors":[{"type":"x","input_array":"purchases","index":0}]}"#,
            #"{"message":"success","errors":[{"type":"x","index":-1},{"type":"x","index":3}]}"#,
            #"{"message":"success","errors":{"index":1}}"#, #"{"message":7}"#, "", "[]", "nonsense", "\u{0}",
            String(repeating: "[", count: 60_000),
        ]
    )
    func `a success whose errors name no event of the batch delivers all`(body: String) {
        #expect(result(201, body, events: 3) == .delivered)
    }

    @Test func `a success that has processed nothing delivers nothing`() {
        let named = #"{"message":"success","events_processed":0,"errors":[{"type":"x","index":0},{"type":"y"}]}"#
        let silent = #"{"message":"success","events_processed":0}"#

        #expect(result(201, named, events: 2) == .partial([0: .refused("x"), 1: .refused("y")]))
        #expect(
            result(201, silent, events: 2) == .partial([0: .refused("not processed"), 1: .refused("not processed")])
        )
        #expect(
            result(201, #"{"message":"success","errors":["x"]}"#, events: 1) == .partial([0: .refused("not processed")])
        )
    }

    @Test func `the count decides about a single event with an unnamed error`() {
        let minor = #"{"message":"success","events_processed":1,"errors":["a minor error"]}"#

        #expect(result(201, minor, events: 1) == .delivered)
    }

    @Test func `a success that has processed fewer events than sent loses as many`() {
        let unnamed = #"{"message":"success","events_processed":1,"errors":["x"]}"#
        let named = #"{"message":"success","events_processed":1,"errors":[{"type":"x","index":0}]}"#
        let lost = BatchResult.EventResult.dropped("not processed")

        #expect(result(201, unnamed, events: 3) == .partial([0: lost, 1: lost]))
        #expect(result(201, named, events: 3) == .partial([0: .refused("x"), 1: lost]))
    }

    @Test(arguments: [-1, Int.min])
    func `a count below zero is none`(count: Int) {
        let refused = BatchResult.EventResult.refused("not processed")

        #expect(result(201, #"{"events_processed":\#(count)}"#, events: 2) == .partial([0: refused, 1: refused]))
    }

    @Test func `the number of processed attributes does not count updates of an alias`() {
        let silent = #"{"message":"success","attributes_processed":0}"#
        let named =
            #"{"attributes_processed":0,"errors":[{"type":"x","input_array":"attributes","index":1}]}"#

        let unnamed = #"{"message":"success","attributes_processed":0,"errors":["a minor error"]}"#

        #expect(result(201, silent, events: 2, in: "attributes") == .delivered)
        #expect(result(201, unnamed, events: 2, in: "attributes") == .delivered)
        #expect(result(201, named, events: 2, in: "attributes") == .partial([1: .refused("x")]))
    }

    @Test(arguments: ["", " \n"])
    func `a blank body is an acknowledgement, even if its type is HTML`(body: String) {
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array(body.utf8))

        #expect(BrazeResponse.result(for: response, events: 2) == .delivered)
    }

    @Test func `an HTML page instead of a response is not a success`() {
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8))

        #expect(BrazeResponse.result(for: response, events: 1) == .paused(.intercepted))
    }

    @Test func `a 400 that names every event quarantines them without a search`() {
        let body = #"{"message":"…","errors":[{"type":"a\nb","index":0},{"type":"c","index":1}]}"#

        #expect(result(400, body, events: 2) == .partial([0: .refused("a b"), 1: .refused("c")]))
        #expect(result(400, body, events: 3) == .refused("status 400"))
    }

    @Test(
        arguments: [
            "Max Input Length Exceeded", "The max number of ids per request was exceeded",
            "The max number of external_ids and aliases per request was exceeded",
        ]
    )
    func `a 400 for too many objects splits the batch`(message: String) {
        #expect(result(400, #"{"message":"\#(message)"}"#, events: 75) == .tooLarge)
    }

    @Test func `a rate limit waits until its reset, and never less than Retry-After`() {
        var headers = ["X-RateLimit-Reset": "1772359230", "Date": "Sun, 01 Mar 2026 10:00:00 GMT"]

        #expect(result(429, "", events: 1, headers) == .retry(after: .seconds(30)))
        headers["Retry-After"] = "40"
        #expect(result(429, "", events: 1, headers) == .retry(after: .seconds(40)))
        headers["Retry-After"] = "5"
        #expect(result(429, "", events: 1, headers) == .retry(after: .seconds(30)))
    }

    @Test func `a reset in a response other than a rate limit causes no wait`() {
        let headers = ["X-RateLimit-Reset": "1772359230", "Date": "Sun, 01 Mar 2026 10:00:00 GMT"]

        #expect(result(503, "", events: 1, headers) == .retry(after: nil))
        #expect(result(201, "{}", events: 1, headers) == .delivered)
    }

    private func result(
        _ status: Int,
        _ body: String,
        events: Int,
        _ headers: [String: String] = [:],
        in array: String = "events"
    ) -> BatchResult {
        let response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        return BrazeResponse.result(for: response, events: events, in: array)
    }
}

import EventDelivery
import Testing

@testable import SDKDelivery

@Suite struct SDKResponseTests {
    @Test func `each event's result is read as it was written`() {
        let response = SDKResponse(outcomes: [.taken, .refused("a\nb"), .refused(""), .refused("\u{301}"), .retry])

        let result = SDKResponse.result(for: response.response, events: 5)

        #expect(result == .partial([1: .refused("a b"), 2: .refused(""), 3: .refused("\u{301}"), 4: .retry]))
    }

    @Test func `a batch is delivered if all of its events were accepted`() {
        let response = SDKResponse(outcomes: [.taken, .taken])

        #expect(SDKResponse.result(for: response.response, events: 2) == .delivered)
    }

    @Test(arguments: [
        HTTPResponse(status: 200), HTTPResponse(status: 200, body: Array("taken".utf8)),
        HTTPResponse(status: 503, body: Array("taken\ntaken".utf8)),
    ])
    func `a response with another number of results, or of another server, is retried`(response: HTTPResponse) {
        #expect(SDKResponse.result(for: response, events: 2) == .retry(after: nil))
    }

    @Test func `events after a waiting one wait as well`() {
        #expect(SDKResponse(outcomes: [.taken, .retry]).isHeld)
        #expect(!SDKResponse(outcomes: [.retry, .refused("x")]).isHeld && !SDKResponse().isHeld)
    }
}

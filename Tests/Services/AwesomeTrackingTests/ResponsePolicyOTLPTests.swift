import AwesomeTracking
import EventDelivery
import Testing

@Suite struct ResponsePolicyOTLPTests {
    @Test(arguments: 200...599)
    func `only 429, 502, 503 and 504 are repeated unchanged`(status: Int) {
        let result = ResponsePolicy.otlp.result(for: HTTPResponse(status: status))

        #expect((result == .retry(after: nil)) == [429, 502, 503, 504].contains(status))
    }

    @Test func `a wait that the receiver asks for is respected`() {
        let response = HTTPResponse(status: 503, headers: ["Retry-After": "7"])

        #expect(ResponsePolicy.otlp.result(for: response) == .retry(after: .seconds(7)))
    }
}

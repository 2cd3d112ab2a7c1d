import Testing

@testable import HTTPTransport

@Suite struct TransportTests {
    @Test(arguments: [
        (nil, true), ("0", true), ("12", true), ("12, 12", true), ("12,13", false), ("x", false), ("", false),
    ]) func `a length is valid if it is one number`(length: String?, isReadable: Bool) {
        let response = HTTPResponse(status: 200, headers: length.map { ["Content-Length": $0] } ?? [:])

        #expect(response.hasReadableLength == isReadable)
    }
}

import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
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

@Suite struct PlatformTransportTests {
    @Test func `an engine uses the transport of its platform by default`() {
        let configuration = DeliveryConfiguration(directory: nil, destinations: [])

        #expect(configuration.transport is PlatformTransport)
    }
}

#if !canImport(Darwin)
@Suite(.serialized, .timeLimit(.minutes(5))) struct CurlTransportTests {
    @Test(arguments: TransportContract.checks)
    func `keeps the contract of a transport`(check: TransportContract.Check) async throws {
        try await check.run(CurlTransport())
    }
}
#endif

#if canImport(Darwin)
@Suite(.serialized, .timeLimit(.minutes(5))) struct URLSessionTransportTests {
    @Test(arguments: TransportContract.checks)
    func `keeps the contract of a transport`(check: TransportContract.Check) async throws {
        try await check.run(URLSessionTransport())
    }
}
#endif

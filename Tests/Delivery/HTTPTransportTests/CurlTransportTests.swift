#if !canImport(Darwin)
import EventDeliveryTesting
import HTTPTransport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct CurlTransportTests {
    @Test(arguments: TransportContract.checks)
    func `keeps the contract of a transport`(check: TransportContract.Check) async throws {
        try await check.run(CurlTransport())
    }
}
#endif

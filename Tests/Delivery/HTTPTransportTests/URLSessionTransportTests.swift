#if canImport(Darwin) || URLSESSION_ON_LINUX
import EventDeliveryTesting
import HTTPTransport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct URLSessionTransportTests {
    @Test(arguments: TransportContract.checks)
    func `keeps the contract of a transport`(check: TransportContract.Check) async throws {
        try await check.run(URLSessionTransport())
    }
}
#endif

import EventDelivery
import HTTPTransport
import Testing

@Suite struct PlatformTransportTests {
    @Test func `an engine uses the transport of its platform by default`() {
        let configuration = DeliveryConfiguration(directory: nil, destinations: [])

        #expect(configuration.transport is PlatformTransport)
    }
}

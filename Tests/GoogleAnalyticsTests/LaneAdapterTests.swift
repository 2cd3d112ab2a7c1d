import CoreTracker
import EventDelivery
import GoogleAnalytics
import Testing

@Suite struct LaneAdapterTests {
    @Test func `an app without the SDK wires the web stream`() async throws {
        let secret: Secret = "se-cret"
        let engine = DeliveryEngine()

        let stream = try WebStreamConfiguration(measurementID: "G-ABC1234567", apiSecret: secret)
        let destination = WebStreamDestination(product: "DL", configuration: stream)
        let service = GoogleAnalyticsService(adapter: LaneAdapter(product: "DL", delivery: engine))

        service.send(event: Journey.Event(name: "e"))
        #expect(await engine.statistics().map(\.id) == [destination.lane])
    }
}

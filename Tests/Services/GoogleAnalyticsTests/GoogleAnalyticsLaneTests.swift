import Analytics
import CoreTracker
import EventDelivery
import GoogleAnalytics
import Testing

@Suite struct GoogleAnalyticsLaneTests {
    @Test func `an app without the SDK wires the web stream`() async throws {
        let engine = DeliveryEngine()
        let stream = try WebStreamConfiguration(measurementID: "G-ABC1234567", apiSecret: "se-cret")
        let destination = WebStreamDestination(product: "DL", configuration: stream)
        let service = GoogleAnalyticsService(adapter: GoogleAnalyticsLane(product: "DL", delivery: engine))

        service.send(event: Journey.Event(name: "e"))
        #expect(await engine.statistics().map(\.id) == [destination.lane])
    }
}

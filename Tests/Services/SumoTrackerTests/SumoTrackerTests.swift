import CoreTracker
import EventDelivery
import EventDeliveryTesting
import MultiTracker
import SumoTracker
import Testing

@Suite struct SumoTrackerTests {
    private let engine = DeliveryEngine(clock: TestClock())
    private let store = TrackerStore()

    @Test func `each call of a capability becomes a line with all of its arguments`() async throws {
        let endpoint = try Endpoint("https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
        let destination = SumoDestination(product: "DL", configuration: SumoConfiguration(endpoint: endpoint))
        store.register(SumoTracker(product: "DL", delivery: engine) { ["channel": "app"] })

        let bodies = try await CapabilityCalls.bodies(of: store, on: engine, to: destination, vendor: .sumo)

        #expect(bodies == (try Fixture.text("capabilities.ndjson")))
    }

    @Test func `an app wires Sumo Logic in a few lines`() throws {
        let (engine, store) = (DeliveryEngine.shared, TrackerStore())
        let endpoint = try Endpoint("https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
        let source = try SumoConfiguration(endpoint: endpoint, metadata: SumoMetadata(category: "mobile/ios/tracking"))
        let destination = SumoDestination(product: "DL", configuration: source)
        let outcome = store.register(SumoTracker(product: "DL", delivery: engine))

        #expect(outcome == .registered)
        #expect(destination.lane == LaneID(product: "DL", service: "sumo"))
    }
}

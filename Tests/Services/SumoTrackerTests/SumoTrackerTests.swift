import CoreTracker
import EventDelivery
import EventDeliveryTesting
import MultiTracker
import Testing

@testable import SumoTracker

@Suite(.timeLimit(.minutes(5))) struct SumoTrackerTests {
    private let engine = DeliveryEngine(clock: TestClock())
    private let store = TrackerStore()

    @Test func `each call of a capability becomes a line with all of its arguments`() async throws {
        let endpoint = try Endpoint("https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
        let destination = SumoDestination(product: "DL", configuration: SumoConfiguration(endpoint: endpoint))
        store.register(SumoTracker(product: "DL", on: engine) { ["channel": "app"] })

        let bodies = try await CapabilityCalls.bodies(of: store, on: engine, to: destination, vendor: .sumo)

        #expect(bodies == (try Fixture.text("capabilities.ndjson")))
    }

    @Test func `an app wires Sumo Logic in a few lines`() throws {
        let (engine, store) = (DeliveryEngine.shared, TrackerStore())
        let endpoint = try Endpoint("https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
        let source = try SumoConfiguration(endpoint: endpoint, metadata: SumoMetadata(category: "mobile/ios/tracking"))
        let destination = SumoDestination(product: "DL", configuration: source)
        let outcome = store.register(SumoTracker(product: "DL", on: engine))

        #expect(outcome == .registered)
        #expect(destination.lane == LaneID(product: "DL", service: "sumo"))
    }
}

@Suite struct SumoMetadataTests {
    @Test func `values become headers, and fields are in the order of their keys`() throws {
        let metadata = try SumoMetadata(category: "mobile/ios", name: "app", fields: ["b": "2", "a": "1"])

        #expect(metadata.headers.map(\.name) == ["X-Sumo-Category", "X-Sumo-Name", "X-Sumo-Fields"])
        #expect(metadata.headers.map(\.value) == ["mobile/ios", "app", "a=1,b=2"])
    }

    @Test func `empty metadata has no headers`() throws {
        #expect(try SumoMetadata().headers.isEmpty)
    }

    @Test(arguments: [
        ["a,b": "1"], ["a=b": "1"], ["": "1"], ["a": ""], ["a": "1,2"], ["a": "1=2"],
        [String(repeating: "k", count: 256): "1"], ["a": String(repeating: "v", count: 201)],
        Dictionary(uniqueKeysWithValues: (0...30).map { ("k\($0)", "1") }), ["a": "1\r\n2"],
    ])
    func `a field that contains a separator or exceeds a limit is refused`(fields: [String: String]) {
        #expect(throws: ConfigurationError.self) { try SumoMetadata(fields: fields) }
    }

    @Test func `fields at their limits are taken`() throws {
        let long = [String(repeating: "k", count: 255): String(repeating: "v", count: 200)]

        #expect(try SumoMetadata(fields: long).headers.count == 1)
        #expect(
            try SumoMetadata(fields: .init(uniqueKeysWithValues: (1...30).map { ("k\($0)", "1") })).headers.count == 1
        )
    }
}

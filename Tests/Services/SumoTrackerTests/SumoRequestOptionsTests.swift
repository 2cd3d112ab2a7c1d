import EventDelivery
import SumoTracker
import Testing

@Suite struct SumoRequestOptionsTests {
    @Test func `further headers are sent beside the metadata, and gzip can be off`() throws {
        let configuration = SumoConfiguration(
            endpoint: try Endpoint("https://collectors.sumologic.example/receiver/v1/http/s"),
            metadata: try SumoMetadata(category: "c"),
            requests: try RequestOptions(compressesBodies: false, headers: ["X-Tenant": "t", "x-sumo-category": "d"])
        )
        let destination = SumoDestination(product: "DL", configuration: configuration)

        let request = destination.request(for: OutgoingBatch(id: EventID(high: 0, low: 1), events: []))

        #expect(request.headers.map(\.name) == ["Content-Type", "X-Sumo-Category", "X-Tenant"])
        #expect(request.headers.map(\.value) == ["application/x-ndjson", "c", "t"])
        #expect(!request.allowsGzip)
        #expect(!"\(configuration) \(String(reflecting: configuration))".contains("X-Tenant: t"))
    }
}

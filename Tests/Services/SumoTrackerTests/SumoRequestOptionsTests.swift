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
    }

    @Test func `no description contains a further header's value`() throws {
        let configuration = SumoConfiguration(
            endpoint: try Endpoint("https://collectors.sumologic.example/receiver/v1/http/s"),
            requests: try RequestOptions(headers: ["X-Tenant": "s3cret"])
        )
        let destination = SumoDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(configuration, to: &dumped)
        dump(destination, to: &dumped)

        for text in ["\(configuration)", String(reflecting: configuration), "\(destination)", dumped] {
            #expect(!text.contains("s3cret"))
        }
    }
}

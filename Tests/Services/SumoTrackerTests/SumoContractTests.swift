import CoreTracker
import EventDelivery
import EventDeliveryTesting
import SumoTracker
import Testing

@Suite struct SumoContractTests {
    @Test func `Sumo Logic's destination keeps the contract`() async throws {
        let endpoint = try Endpoint("https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
        let sumo = SumoDestination(product: "DL", configuration: SumoConfiguration(endpoint: endpoint))
        let emptyText = try sumo.encoded(.stub(parameters: ["x": ""])).fragment.utf8.count
        let contract = DestinationContract(
            sumo,
            bodies: [.init("minimal.ndjson", of: [.stub()], is: try Fixture.text("minimal.ndjson"))],
            limits: [
                .init("event_too_large", at: 65_535 - emptyText) {
                    .stub(parameters: ["x": .string(String(repeating: "v", count: $0))])
                }
            ],
            statuses: [
                200: .delivered, 301: .paused(.intercepted), 400: .refused("status 400"),
                401: .paused(.credentials), 404: .paused(.credentials), 408: .tooLarge, 413: .tooLarge,
                429: .retry(after: nil), 500: .retry(after: nil), 503: .retry(after: nil), 504: .retry(after: nil),
            ],
            responses: [
                .init(HTTPResponse(status: 429, headers: ["Retry-After": "7"]), means: .retry(after: .seconds(7)))
            ],
            secrets: ["ZaVnC4dh=="],
            tracker: { SumoTracker(product: "DL", delivery: $0) }
        )

        try await contract.check()
    }
}

import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import SumoTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct SumoContractTests {
    @Test(arguments: DestinationContract.checks)
    func `Sumo Logic's destination keeps the contract`(check: DestinationContract.Check) async throws {
        let endpoint = try Endpoint("https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
        let sumo = SumoDestination(product: "DL", configuration: SumoConfiguration(endpoint: endpoint))
        let emptyText = try sumo.encoded(.stub(parameters: ["x": ""])).fragment.utf8.count
        let subject = DestinationContract.Subject(
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
            receiver: .sumo,
            secrets: ["ZaVnC4dh=="],
            tracker: { SumoTracker(product: "DL", on: $0) }
        )

        try await check.run(subject)
    }
}

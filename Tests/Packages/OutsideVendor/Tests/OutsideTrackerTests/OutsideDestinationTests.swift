import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import OutsideTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct OutsideDestinationTests {
    @Test(arguments: DestinationContract.checks)
    func `the destination keeps the contract`(check: DestinationContract.Check) async throws {
        let endpoint = try Endpoint("https://outside.example/events")
        let subject = DestinationContract.Subject(
            try OutsideDestination(product: "DL", endpoint: endpoint, key: "k-1"),
            bodies: [.init("minimal.json", of: [.stub()], is: try Fixture.text("minimal.json"))],
            statuses: [
                200: .delivered, 401: .paused(.credentials), 402: .paused(.credentials), 503: .retry(after: nil),
            ],
            tracker: { OutsideTracker(product: "DL", on: $0) }
        )

        try await check.run(subject)
    }
}

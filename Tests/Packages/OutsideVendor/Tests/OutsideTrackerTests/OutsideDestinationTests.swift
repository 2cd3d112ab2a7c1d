import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import OutsideTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct OutsideDestinationTests {
    @Test(arguments: DestinationContract.checks)
    func `the destination keeps the contract`(check: DestinationContract.Check) async throws {
        let subject = DestinationContract.Subject(
            OutsideDestination(product: "DL", endpoint: try Endpoint("https://outside.example/events")),
            bodies: [.init("minimal.ndjson", of: [.stub()], is: try Fixture.text("minimal.ndjson"))],
            statuses: [200: .delivered, 401: .paused(.credentials), 503: .retry(after: nil)],
            tracker: { OutsideTracker(product: "DL", on: $0) }
        )

        try await check.run(subject)
    }
}

import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct MockAwesomeTrackingServiceTests {
    private let service = MockAwesomeTrackingService()

    @Test func `an event is visible before track returns, until a reset`() {
        service.track(AwesomeTrackingEvent(name: "seen", parameters: ["id": 7]))

        #expect(service.events == [AwesomeTrackingEvent(name: "seen", parameters: ["id": 7])])
        service.expect([AwesomeTrackingEvent(name: "seen", parameters: ["id": 7])])
        service.reset()
        service.expect([])
    }

    @Test(arguments: AwesomeTrackingServiceContract.checks)
    func `keeps the contract of an AwesomeTracking service`(check: ServiceContract) async throws {
        try await AwesomeTrackingServiceContract.run(check, on: service) { [service] in service.events }
    }

    @Test func `another parameter value fails the expectation`() {
        service.track(AwesomeTrackingEvent(name: "seen", parameters: ["id": 7]))

        withKnownIssue { service.expect([AwesomeTrackingEvent(name: "seen", parameters: ["id": 8])]) }
    }
}

import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct MockFirebaseServiceTests {
    private let service = MockFirebaseService()

    @Test func `an event is visible before track returns, until a reset`() {
        service.track(FirebaseEvent(name: "seen", parameters: ["id": 7]))

        #expect(service.events == [FirebaseEvent(name: "seen", parameters: ["id": 7])])
        service.expect([FirebaseEvent(name: "seen", parameters: ["id": 7])])
        service.reset()
        service.expect([])
    }

    @Test(arguments: FirebaseServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract) async throws {
        try await FirebaseServiceContract.run(check, on: service) { [service] in service.events }
    }

    @Test func `another parameter value fails the expectation`() {
        service.track(FirebaseEvent(name: "seen", parameters: ["id": 7]))

        withKnownIssue { service.expect([FirebaseEvent(name: "seen", parameters: ["id": 8])]) }
    }
}

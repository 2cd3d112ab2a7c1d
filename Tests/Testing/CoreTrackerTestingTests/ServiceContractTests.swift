import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct ServiceContractTests {
    @Test(arguments: FirebaseServiceContract.checks)
    func `a service that drops all events fails every check`(check: ServiceContract) async {
        await #expect(throws: ContractViolation.self) {
            try await FirebaseServiceContract.run(check, on: MockFirebaseService()) { [] }
        }
    }

    @Test func `a service that reorders or changes events fails a check`() async throws {
        let check = try #require(FirebaseServiceContract.checks.first)
        let service = MockFirebaseService()

        await #expect(throws: ContractViolation.self) {
            try await FirebaseServiceContract.run(check, on: service) { service.events.reversed() }
        }
        service.reset()
        await #expect(throws: ContractViolation.self) {
            try await FirebaseServiceContract.run(check, on: service) {
                service.events.map {
                    FirebaseEvent(name: $0.name, parameters: $0.parameters.merging(["currency": "EUR"]))
                }
            }
        }
    }
}

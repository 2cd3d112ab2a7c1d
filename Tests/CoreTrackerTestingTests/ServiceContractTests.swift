import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct ServiceContractTests {
    @Test(arguments: FirebaseServiceContract.checks)
    func `a service that lets nothing through breaks every promise`(check: ServiceContract) async {
        await #expect(throws: ContractViolation.self) {
            try await FirebaseServiceContract.run(check, on: MockFirebaseService()) { [] }
        }
    }

    @Test func `a service that changes places or values breaks a promise`() async throws {
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

import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct MockVendorServiceTests {
    private let service = MockVendorService()

    @Test func `an event is visible under its vendor before track returns, until a reset`() {
        service.track(VendorEvent("braze", "seen"))

        #expect(service.events(of: "braze") == [VendorEvent("braze", "seen")])
        #expect(service.events(of: "adobe").isEmpty)
        service.expect([VendorEvent("braze", "seen")])
        service.reset()
        service.expect([])
    }

    @Test(arguments: VendorServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract) async throws {
        try await VendorServiceContract.run(check, on: service, type: "acme") { [service] in
            service.events(of: "acme")
        }
    }

    @Test func `the same event of another vendor fails the expectation`() {
        service.track(VendorEvent("braze", "seen"))

        withKnownIssue { service.expect([VendorEvent("adobe", "seen")]) }
    }
}

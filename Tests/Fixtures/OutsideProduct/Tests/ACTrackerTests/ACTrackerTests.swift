import ACTracker
import CoreTracker
import CoreTrackerTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ACTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject(withoutVendors: { ACTracker(firebaseService: $0, awesomeTrackingService: $1) })
        )
    }

    @Test func `every event has the country by default`() {
        #expect(ACSettings().awesomeTrackingDefaults == ["country": "TR"])
    }
}

import ACBasket
import ACTracker
import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct ACBasketTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker, with the feature's default parameters`(
        check: CoreTrackerContract.Check
    ) async throws {
        let subject = CoreTrackerContract.Subject(defaults: ["screen": "basket"]) {
            ACBasketTracker(ACTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2))
        }

        try await check.run(subject)
    }
}

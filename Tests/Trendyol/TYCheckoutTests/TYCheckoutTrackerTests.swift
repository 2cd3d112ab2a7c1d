import CoreTracker
import CoreTrackerTesting
import TYCheckout
import TYTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct TYCheckoutTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker, with the feature's default parameters`(
        check: CoreTrackerContract.Check
    ) async throws {
        let subject = CoreTrackerContract.Subject(defaults: ["screen": "checkout", "feature": "checkout"]) {
            TYCheckoutTracker(TYTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2))
        }

        try await check.run(subject)
    }
}

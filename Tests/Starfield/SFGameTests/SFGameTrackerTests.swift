import CoreTracker
import CoreTrackerTesting
import SFGame
import SFTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct SFGameTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker, with the feature's default parameters`(
        check: CoreTrackerContract.Check
    ) async throws {
        let subject = CoreTrackerContract.Subject(defaults: ["screen": "game", "feature": "game"]) {
            SFGameTracker(SFTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2))
        }

        try await check.run(subject)
    }
}

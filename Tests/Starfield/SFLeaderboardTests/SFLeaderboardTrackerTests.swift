import CoreTracker
import CoreTrackerTesting
import SFLeaderboard
import SFTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct SFLeaderboardTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker, with the feature's default parameters`(
        check: CoreTrackerContract.Check
    ) async throws {
        let subject = CoreTrackerContract.Subject(defaults: ["screen": "leaderboard", "feature": "leaderboard"]) {
            SFLeaderboardTracker(SFTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2))
        }

        try await check.run(subject)
    }
}

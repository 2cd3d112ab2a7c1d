import CoreTracker
import CoreTrackerTesting
import DLListing
import DLTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct DLListingTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                DLListingTracker(
                    DLTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
                )
            }
        )
    }

    @Test func `each event carries the feature's screen and name by default`() {
        let firebase = MockFirebaseService()

        DLListingTracker(DLTracker(firebaseService: firebase)).track(Seen())

        #expect(firebase.events.map(\.defaults) == [["screen": "listing", "feature": "discovery"]])
        #expect(firebase.events.map(\.parameters) == [["id": "own"]])
    }
}

private struct Seen: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("seen", ["id": "own"])
        AwesomeTrackingEvent("seen", ["id": "own"])
    }
}

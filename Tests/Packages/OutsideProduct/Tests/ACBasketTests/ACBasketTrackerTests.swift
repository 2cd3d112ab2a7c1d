import ACBasket
import ACTracker
import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct ACBasketTrackerTests {
    @Test func `each event carries the feature's screen by default`() {
        let firebase = MockFirebaseService()

        ACBasketTracker(ACTracker(firebaseService: firebase)).track(Seen())

        #expect(firebase.events.map(\.defaults) == [["screen": "basket"]])
        #expect(firebase.events.map(\.parameters) == [["id": "own"]])
    }
}

private struct Seen: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("seen", ["id": "own"])
    }
}

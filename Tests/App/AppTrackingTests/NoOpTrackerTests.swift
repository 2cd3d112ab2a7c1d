import AppTracking
import CoreTracker
import Testing

@Suite struct NoOpTrackerTests {
    private struct Counted: CoreTrackable {
        var services: [EventService] {
            Issue.record("its services were asked for")
            return []
        }
    }

    @Test func `the tracker and its services track nothing`() {
        let tracker = NoOpTracker()

        tracker.track(Counted())
        tracker.firebaseService.track(FirebaseEvent(name: "viewed"))
        tracker.awesomeTrackingService.track(AwesomeTrackingEvent(name: "viewed"))
    }
}

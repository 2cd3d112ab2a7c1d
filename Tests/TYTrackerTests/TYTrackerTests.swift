import CoreTracker
import CoreTrackerTesting
import TYTracker
import Testing

@Suite struct TYTrackerTests {
    @Test func `each service of an event takes its own part, in the event's order`() {
        let firebase = MockFirebaseService()
        let awesomeTracking = MockAwesomeTrackingService()
        let vendors = MockVendorService()
        let tracker = TYTracker(
            firebaseService: firebase,
            awesomeTrackingService: awesomeTracking,
            vendorService: vendors
        )

        tracker.track(Shared())

        firebase.expect([FirebaseEvent(name: "screen_view"), FirebaseEvent(name: "share")])
        awesomeTracking.expect([AwesomeTrackingEvent(name: "shared")])
        vendors.expect([("braze", VendorEvent(name: "shared"))])
    }

    @Test func `a tracker made without arguments is safe to track with`() {
        let tracker: any CoreTracker = TYTracker()

        tracker.track(Shared())
    }
}

/// An event that goes everywhere.
private struct Shared: CoreTrackable {
    var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "screen_view")),
            .awesomeTracking(AwesomeTrackingEvent(name: "shared")),
            .vendor("braze", VendorEvent(name: "shared")),
            .firebase(FirebaseEvent(name: "share")),
        ]
    }
}

import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct NoVendorServiceTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `a tracker of two services keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject(withoutVendors: {
                TwoServiceTracker(firebaseService: $0, awesomeTrackingService: $1)
            })
        )
    }

    @Test func `an event for a vendor is counted by its vendor, and the event's other services get it`() {
        let firebase = MockFirebaseService()
        let tracker = TwoServiceTracker(
            firebaseService: firebase,
            awesomeTrackingService: MockAwesomeTrackingService()
        )
        let before = NoVendorService.droppedEvents["two-service-test", default: 0]

        tracker.track(Liked())
        tracker.scoped(by: ["screen": "list"]).track(Liked())

        #expect(NoVendorService.droppedEvents["two-service-test", default: 0] == before + 2)
        #expect(firebase.events.map(\.name) == ["liked", "liked"])
    }

    @Test func `a service can count elsewhere`() {
        let vendors = MockVendorService()

        NoVendorService { vendors.track($0) }.track(VendorEvent("counted-elsewhere", "liked"))

        #expect(vendors.events == [VendorEvent("counted-elsewhere", "liked")])
        #expect(NoVendorService.droppedEvents["counted-elsewhere"] == nil)
    }
}

private struct Liked: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("liked")
        VendorEvent("two-service-test", "liked")
    }
}

/// A tracker that declares only its two services.
private struct TwoServiceTracker: CoreTracker {
    let firebaseService: any FirebaseService
    let awesomeTrackingService: any AwesomeTrackingService
}

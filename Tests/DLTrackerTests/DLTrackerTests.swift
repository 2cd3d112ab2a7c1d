import CoreTracker
import CoreTrackerTesting
import DLTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct DLTrackerTests {
    @Test func `each service of an event takes its own part, in the event's order`() {
        let firebase = MockFirebaseService()
        let awesomeTracking = MockAwesomeTrackingService()
        let vendors = MockVendorService()
        let tracker = DLTracker(
            firebaseService: firebase,
            awesomeTrackingService: awesomeTracking,
            vendorService: vendors
        )

        tracker.track(Shared())

        firebase.expect([FirebaseEvent(name: "screen_view"), FirebaseEvent(name: "share")])
        awesomeTracking.expect([AwesomeTrackingEvent(name: "shared")])
        vendors.expect([("braze", VendorEvent(name: "shared"))])
    }

    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                DLTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }

    @Test func `its own services hand each event to the product's lane of that service`() async {
        let engine = DeliveryEngine(clock: TestClock())
        let tracker = DLTracker(
            firebaseService: DLServices.firebase(on: engine),
            awesomeTrackingService: DLServices.awesomeTracking(on: engine),
            vendorService: DLServices.vendors(on: engine)
        )

        tracker.track(Shared())

        let accepted = await engine.statistics().map { ($0.id.description, $0.ledger.accepted) }
        #expect(accepted.map(\.0) == ["DL/awesomeTracking", "DL/braze", "DL/firebase"])
        #expect(accepted.map(\.1) == [1, 1, 2])
    }

    @Test func `a tracker made without arguments can be tracked with and sends nothing`() async {
        let tracker: any CoreTracker = DLTracker()

        tracker.track(Shared())

        let report = await DeliveryEngine.shared.flush(deadline: .zero)
        #expect(report.lanes.allSatisfy { $0.outcome == .unserved && $0.delivered == 0 })
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

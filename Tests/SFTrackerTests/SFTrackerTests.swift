import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import SFTracker
import Testing

@Suite struct SFTrackerTests {
    @Test func `each service of an event takes its own part, in the event's order`() {
        let firebase = MockFirebaseService()
        let awesomeTracking = MockAwesomeTrackingService()
        let vendors = MockVendorService()
        let tracker = SFTracker(
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
                SFTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }

    @Test func `its own services hand each event to the product's lane of that service`() async {
        let engine = DeliveryEngine(clock: TestClock())
        let tracker = SFTracker(
            firebaseService: SFServices.firebase(on: engine),
            awesomeTrackingService: SFServices.awesomeTracking(on: engine),
            vendorService: SFServices.vendors(on: engine)
        )

        tracker.track(Shared())

        let accepted = await engine.statistics().map { ($0.id.description, $0.ledger.accepted) }
        #expect(accepted.map(\.0) == ["SF/awesomeTracking", "SF/braze", "SF/firebase"])
        #expect(accepted.map(\.1) == [1, 1, 2])
    }

    @Test func `a tracker made without arguments can be tracked with and sends nothing`() async {
        let tracker: any CoreTracker = SFTracker()

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

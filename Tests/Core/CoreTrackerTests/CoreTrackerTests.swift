import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct CoreTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `the default implementation keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                PlainTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }

    @Test(arguments: CoreTrackerContract.checks)
    func `a tracker in a narrower scope keeps the contract`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                PlainTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2).scoped(by: ["a": 1])
            }
        )
    }

    @Test func `a narrower scope overrides a wider one, and the event's own parameters override both`() {
        let firebase = MockFirebaseService()
        let tracker = PlainTracker(
            firebaseService: firebase,
            awesomeTrackingService: MockAwesomeTrackingService(),
            vendorService: MockVendorService()
        ).scoped(by: ["feature": "basket", "screen": "basket"])

        tracker.scoped(by: ["screen": "payment", "variant": "B"]).track(Paid())

        #expect(firebase.events.map(\.defaults) == [["feature": "basket", "screen": "payment", "variant": "B"]])
        #expect(firebase.events.map(\.parameters) == [["variant": "own"]])
    }

    @Test func `a mock keeps the typed events of every scope`() {
        let mock = MockTracker()

        mock.scoped(by: ["variant": "B"]).track(Paid())

        mock.expect([Paid()])
    }
}

private struct Paid: CoreTrackable {
    var services: [EventService] { FirebaseEvent("paid", ["variant": "own"]) }
}

/// A tracker that uses every default implementation.
private struct PlainTracker: CoreTracker {
    let firebaseService: any FirebaseService
    let awesomeTrackingService: any AwesomeTrackingService
    let vendorService: any VendorService
}

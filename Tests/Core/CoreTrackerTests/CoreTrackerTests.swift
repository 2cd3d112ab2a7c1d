import CoreTracker
import CoreTrackerTesting
import Locks
import Testing

@Suite(.timeLimit(.minutes(5))) struct CoreTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `the default implementation keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                PlainTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }

    @Test(arguments: CoreTrackerContract.checks)
    func `a tracker with further default parameters keeps the contract`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                PlainTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2).withDefaults(["a": 1])
            }
        )
    }

    @Test func `narrower default parameters override wider ones, and the event's own parameters override both`() {
        let firebase = MockFirebaseService()
        let tracker = PlainTracker(
            firebaseService: firebase,
            awesomeTrackingService: MockAwesomeTrackingService(),
            vendorService: MockVendorService()
        ).withDefaults(["feature": "basket", "screen": "basket"])

        tracker.withDefaults(["screen": "payment", "variant": "B"]).track(Paid())

        #expect(firebase.events.map(\.defaults) == [["feature": "basket", "screen": "payment", "variant": "B"]])
        #expect(firebase.events.map(\.parameters) == [["variant": "own"]])
    }

    @Test func `a default parameter that is nil is counted, even if there is no other one`() {
        let firebase = MockFirebaseService()
        let tracker = PlainTracker(
            firebaseService: firebase,
            awesomeTrackingService: MockAwesomeTrackingService(),
            vendorService: MockVendorService()
        )
        let absent: Int? = nil

        tracker.withDefaults([EventParameter("campaign", absent)]).track(Paid())
        tracker.track(Paid())

        #expect(firebase.events.map(\.defaults.hasAbsent) == [true, false])
    }

    @Test func `a mock keeps the typed events of every tracker made from it`() {
        let mock = MockTracker()

        mock.withDefaults(["variant": "B"]).track(Paid())

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

@Suite struct PrintingServiceTests {
    @Test func `each kind of event is one line, with sensitive values redacted`() {
        let lines = Mutex<[String]>([])
        let service = PrintingService { line in lines.withLock { $0.append(line) } }

        service.track(FirebaseEvent("view_item", ["item_id": "7"]))
        service.track(
            AwesomeTrackingEvent("signed_up", .sensitive(Sensitive("ali@example.com"), as: "mail", policy: .hash))
        )
        service.track(VendorEvent("braze", "liked"))

        #expect(
            lines.withLock { $0 } == [
                #"firebase view_item ["item_id": "7"]"#,
                #"awesomeTracking signed_up ["mail": ‹redacted›]"#,
                "braze liked [:]",
            ]
        )
    }

    @Test func `an event for a vendor that no service gets is one line`() {
        let lines = Mutex<[String]>([])
        let service = PrintingService { line in lines.withLock { $0.append(line) } }

        TwoServiceTracker(firebaseService: service, awesomeTrackingService: service).vendorService.track(
            VendorEvent("braze", "liked")
        )

        #expect(lines.withLock { $0 } == ["vendor braze: no vendor service"])
    }
}

@Suite(.timeLimit(.minutes(5))) struct NoVendorServiceTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `a tracker of two services keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject(withoutVendors: {
                TwoServiceTracker(firebaseService: $0, awesomeTrackingService: $1)
            })
        )
    }

    @Test(arguments: [false, true])
    func `an event for a vendor is recorded in a service that is a ledger, and the event's other services get it`(
        hasDefaults: Bool
    ) {
        let (firebase, ledger) = (MockFirebaseService(), RecordingLedger())
        let awesomeTracking: any AwesomeTrackingService =
            hasDefaults ? ServiceWithDefaults(ledger) { ["a": 1] } : ledger
        let tracker = TwoServiceTracker(firebaseService: firebase, awesomeTrackingService: awesomeTracking)

        tracker.track(Liked())
        tracker.withDefaults(["screen": "list"]).track(Liked())

        let loss = TrackingLoss.noVendorService("two-service-test")
        #expect(ledger.losses == [loss, loss])
        #expect(firebase.events.map(\.name) == ["liked", "liked"])
    }

    @Test func `a service can count in another ledger`() {
        let ledger = RecordingLedger()

        NoVendorService(ledger: ledger).track(VendorEvent("braze", "liked"))

        #expect(ledger.losses == [.noVendorService("braze")])
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

/// A service that records the losses that its tracker reports.
private final class RecordingLedger: AwesomeTrackingService, LossLedger {
    private let recorded = Mutex<[TrackingLoss]>([])

    var losses: [TrackingLoss] { recorded.withLock { $0 } }

    func track(_ event: AwesomeTrackingEvent) {}
    func record(_ loss: TrackingLoss) { recorded.withLock { $0.append(loss) } }
}

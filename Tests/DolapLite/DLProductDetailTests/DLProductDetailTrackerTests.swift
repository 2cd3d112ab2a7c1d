import CoreTracker
import CoreTrackerTesting
import DLProductDetail
import DLTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct DLProductDetailTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                DLProductDetailTracker(
                    DLTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
                )
            }
        )
    }

    @Test func `each event carries the feature's screen and name by default`() {
        let firebase = MockFirebaseService()

        DLProductDetailTracker(DLTracker(firebaseService: firebase)).track(Seen())

        #expect(firebase.events.map(\.defaults) == [["screen": "product_detail", "feature": "discovery"]])
        #expect(firebase.events.map(\.parameters) == [["id": "own"]])
    }

    @Test func `an event's parameters override the feature's, the product's and automatic ones`() {
        let awesomeTracking = MockAwesomeTrackingService()
        let automatic = ServiceWithDefaults(awesomeTracking) {
            ["platform": "automatic", "channel": "automatic", "screen": "automatic", "id": "automatic"]
        }
        let product = ServiceWithDefaults(automatic) { ["channel": "product", "screen": "product", "id": "product"] }
        let tracker = DLProductDetailTracker(DLTracker(awesomeTrackingService: product))

        tracker.track(Seen())

        let handed = awesomeTracking.events.map { $0.defaults.merging($0.parameters) }
        #expect(
            handed == [
                [
                    "platform": "automatic", "channel": "product", "screen": "product_detail", "id": "own",
                    "feature": "discovery",
                ]
            ]
        )
    }
}

private struct Seen: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("seen", ["id": "own"])
        AwesomeTrackingEvent("seen", ["id": "own"])
    }
}

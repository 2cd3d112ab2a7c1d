import CoreTracker
import CoreTrackerTesting
import DLProductDetail
import DLTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct DLProductDetailTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker, with the feature's default parameters`(
        check: CoreTrackerContract.Check
    ) async throws {
        let subject = CoreTrackerContract.Subject(defaults: ["screen": "product_detail", "feature": "discovery"]) {
            DLProductDetailTracker(DLTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2))
        }

        try await check.run(subject)
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
        AwesomeTrackingEvent("seen", ["id": "own"])
    }
}

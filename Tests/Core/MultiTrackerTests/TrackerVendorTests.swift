import CoreTracker
import CoreTrackerTesting
import MultiTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct TrackerVendorTests {
    private let config = TrackerConfig(.only(["adobe", "silent", "denied"]))
    private let store: TrackerStore
    private let tracker: Tracker
    private let adobe = MockTrackable("adobe")
    private let braze = MockTrackable("braze")
    private let denied = MockTrackable("denied")

    init() {
        store = TrackerStore(config: config)
        tracker = Tracker(trackerStore: store)
        store.register(adobe)
        store.register(braze)
        store.register(NoOpTracker(type: "silent"))
        store.register(denied)
        denied.isConsentDenied = true
    }

    @Test(arguments: ServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract.Check) async throws {
        let vendor = MockTrackable()
        let store = TrackerStore()
        store.register(vendor)

        try await check.run(
            .vendor(Tracker(trackerStore: store), type: vendor.type) {
                vendor.calls.compactMap { if case .event(let event) = $0 { event } else { nil } }
            }
        )
    }

    @Test func `a named event reaches the tracker of its type and no other`() {
        tracker.track(VendorEvent("adobe", "signed_up"))

        #expect(adobe.calls == [.event(VendorEvent("adobe", "signed_up"))])
        #expect(braze.calls.isEmpty)
        #expect(store.skipCounts.isEmpty)
    }

    @Test func `a product's tracker passes an event to the registered vendors that it names`() {
        let product = ProductTracker(vendorService: tracker)

        product.track(AddressedEvent(vendors: ["adobe", "braze", "sumo"]))

        #expect(adobe.calls == [.event(VendorEvent("adobe", "signed_up"))])
        #expect(braze.calls.isEmpty)
        #expect(store.skipCounts == [.disabled: 1, .notRegistered: 1])
    }

    @Test(
        arguments: [
            ("sumo" as TrackerType, TrackerSkipReason.notRegistered), ("braze", .disabled), ("silent", .noCapability),
            ("denied", .noConsent),
        ]
    )
    func `a named event that cannot be tracked is counted with its reason`(type: TrackerType, reason: TrackerSkipReason)
    {
        tracker.track(VendorEvent(type, "signed_up"))

        #expect(store.skipCounts == [reason: 1])
        #expect(adobe.calls + braze.calls + denied.calls == [])
    }

    @Test func `explain covers each vendor of an event and the trackers that it does not name`() {
        let event = AddressedEvent(vendors: ["silent", "sumo", "braze", "denied", "sumo"])

        let explanations = tracker.explain(event)

        #expect(
            explanations.map(\.description) == [
                "silent: noCapability", "sumo: notRegistered", "braze: disabled", "denied: noConsent",
                "adobe: notAddressed",
            ]
        )
        #expect(store.skipCounts.isEmpty)
    }

    @Test func `explain agrees with the effect of tracking`() {
        let event = AddressedEvent(vendors: ["adobe", "braze", "silent", "sumo", "denied"])
        let tracked = tracker.explain(event).filter(\.isTracked).map(\.type)

        for case .vendor(let event) in event.services { tracker.track(event) }

        #expect(tracked == ["adobe"])
        #expect(adobe.calls == [.event(VendorEvent("adobe", "signed_up"))])
        #expect(store.skipCounts == [.disabled: 1, .noCapability: 1, .notRegistered: 1, .noConsent: 1])
    }

    @Test func `explain covers every tracker for a capability, in the order of registration`() {
        let explanations = tracker.explain((any PlaybackTrackable).self)

        #expect(
            explanations.map(\.description) == [
                "adobe: tracked", "braze: disabled", "silent: noCapability", "denied: noConsent",
            ]
        )
    }
}

/// A product's tracker that sends vendor events to a store's trackers.
private struct ProductTracker: CoreTracker {
    let firebaseService: any FirebaseService = MockFirebaseService()
    let awesomeTrackingService: any AwesomeTrackingService = MockAwesomeTrackingService()
    let vendorService: any VendorService
}

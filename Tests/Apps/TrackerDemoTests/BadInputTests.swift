import CoreTracker
import CoreTrackerTesting
import DLTracker
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import MultiTracker
import Testing

/// Mistakes of an app.
///
/// Each produces one clear value, and none traps.
@Suite(.timeLimit(.minutes(5))) struct BadInputTests {
    @Test func `a second tracker of one type is a duplicate, and the first one gets the events`() {
        let (store, first, second) = (TrackerStore(), MockTrackable("braze"), MockTrackable("braze"))

        let outcomes = [store.register(first), store.register(second)]
        DLTracker(vendorService: Tracker(trackerStore: store)).track(Liked())

        #expect(outcomes == [.registered, .duplicate])
        #expect((first.calls.count, second.calls.count) == (1, 0))
    }

    @Test func `an unknown type in a remote configuration enables no tracker, and an event for it is counted`() throws {
        let (config, braze) = (TrackerConfig(), MockTrackable("braze"))
        let store = TrackerStore(config: config)
        store.register(braze)
        let tracker = Tracker(trackerStore: store)

        try config.apply(remoteNames: ["brase"])
        tracker.track(VendorEvent("brase", "liked"))
        tracker.track(VendorEvent("braze", "liked"))

        #expect(braze.calls.isEmpty)
        #expect(store.skipCounts == [.notRegistered: 1, .disabled: 1])
    }

    @Test func `an event without services reaches none, and its text states that`() {
        let (firebase, mock) = (MockFirebaseService(), MockTracker())

        DLTracker(firebaseService: firebase).track(Nowhere())
        mock.track(Nowhere())

        #expect(firebase.events.isEmpty)
        #expect(mock.events.map(\.description) == ["Nowhere(no services)"])
    }

    @Test func `a default parameter with a reserved key is left out and counted by the rule's name`() async throws {
        let configuration = try FirebaseConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: "s")
        let firebase = FirebaseDestination(product: "DL", configuration: configuration)
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [firebase], transport: ScriptedTransport())
        )

        DLTracker(on: engine).withDefaults(["ga_screen": "list"]).track(Liked())
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = await engine.statistics().first { $0.id == firebase.lane }?.ledger
        #expect(ledger?.adjusted["key_reserved"] == 1)
        #expect(ledger?.accepted == 1)
    }
}

private struct Liked: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("liked")
        VendorEvent("braze", "liked")
    }
}

private struct Nowhere: CoreTrackable {
    var services: [EventService] {}
}

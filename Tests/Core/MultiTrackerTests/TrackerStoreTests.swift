import CoreTracker
import CoreTrackerTesting
import Locks
import Testing

@testable import MultiTracker

@Suite struct TrackerStoreTests {
    @Test func `a second tracker of the same type is refused, counted, and the first one stays`() {
        let store = TrackerStore()
        let first = MockTrackable("braze")
        let second = MockTrackable("braze")

        #expect(store.register(first) == .registered)
        #expect(store.register(second) == .duplicate)
        Tracker(trackerStore: store).trackPlay()

        #expect(store.duplicateRegistrations == 1)
        #expect(first.calls == [.play])
        #expect(second.calls.isEmpty)
    }

    @Test func `a second tracker of the same type is printed if there is no ledger`() {
        let lines = Mutex<[String]>([])
        let console = PrintingService { line in lines.withLock { $0.append(line) } }
        let store = TrackerStore(config: TrackerConfig(), ledger: nil, console: console)
        for _ in 1...2 { store.register(MockTrackable("braze")) }

        Tracker(trackerStore: store).track(VendorEvent("adobe", "liked"))

        let line = "vendor braze: a second tracker was not registered, and gets no event"
        #expect(lines.withLock { $0 } == [line])
    }

    @Test(arguments: [false, true]) func `a ledger is told about a duplicate and about each event without a vendor`(
        isRegistered: Bool
    ) {
        let ledger = LedgerTracker(type: "ledger")
        let config = TrackerConfig(["braze", "silent", "ledger"])
        let store = isRegistered ? TrackerStore(config: config) : TrackerStore(config: config, ledger: ledger)
        if isRegistered { store.register(ledger) }
        for type: TrackerType in ["adobe", "silent", "silent"] { store.register(NoOpTracker(type: type)) }
        let tracker = Tracker(trackerStore: store)

        for type: TrackerType in ["braise", "silent", "adobe"] { tracker.track(VendorEvent(type, "liked")) }

        let registered: [TrackerType] = (isRegistered ? ["ledger"] : []) + ["adobe", "silent"]
        #expect(
            ledger.losses == [
                .duplicateRegistration("silent"), .notRegistered("braise", registered: registered),
                .withoutEvents("silent"), .disabled("adobe"),
            ]
        )
        #expect(ledger.losses[1].description == "vendor braise: not registered")
        #expect(store.skipCounts == [.notRegistered: 1, .noCapability: 1, .disabled: 1])
    }

    @Test func `a type is free again after its tracker was removed`() {
        let store = TrackerStore()
        let first = MockTrackable("braze")
        let second = MockTrackable("braze")

        store.register(first)
        #expect(store.unregister("braze"))
        #expect(!store.contains("braze"))
        #expect(store.register(second) == .registered)
        Tracker(trackerStore: store).trackPlay()

        #expect(first.calls.isEmpty)
        #expect(second.calls == [.play])
    }

    @Test func `removing a type that is not registered returns false`() {
        #expect(!TrackerStore().unregister("braze"))
    }

    @Test func `a tracker that is registered after a call takes part in the next`() {
        let store = TrackerStore()
        let tracker = Tracker(trackerStore: store)
        let early = MockTrackable("early")
        let late = MockTrackable("late")

        store.register(early)
        tracker.trackPlay()
        store.register(late)
        tracker.trackPause()

        #expect(early.calls == [.play, .pause])
        #expect(late.calls == [.pause])
    }

    @Test func `the store releases a tracker that was removed`() {
        let store = TrackerStore()
        weak var released: MockTrackable?

        do {
            let tracker = MockTrackable("braze")
            released = tracker
            store.register(tracker)
            Tracker(trackerStore: store).trackPlay()
        }
        #expect(released != nil)
        store.unregister("braze")

        #expect(released == nil)
    }

    @Test func `a configuration needs no revision, and the next call follows a change of its list`() {
        let config = ListConfig(["braze", "adobe"])
        let store = TrackerStore(config: config)
        let (adobe, sumo) = (MockTrackable("adobe"), MockTrackable("sumo"))
        store.register(adobe)
        store.register(sumo)
        let tracker = Tracker(trackerStore: store)

        tracker.optionalTrackTap()
        config.enabledTrackers = ["sumo"]
        tracker.optionalTrackTap()
        config.enabledTrackers = ["braze", "adobe"]
        tracker.trackPlay()

        #expect(adobe.calls == [.optionalTap, .play])
        #expect(sumo.calls == [.optionalTap])
        #expect(store.skipCounts == [.disabled: 3])
    }

    @Test func `an older selection does not replace a newer one`() {
        let config = InterruptedConfig()
        let store = TrackerStore(config: config)
        let braze = MockTrackable("braze")
        store.register(braze)

        config.list.enable("adobe")
        // While a call reads the selection, another thread changes it and makes a call.
        config.interrupt {
            config.list.disable("braze")
            Tracker(trackerStore: store).trackPause()
        }
        let registry = store.registry

        #expect(registry.revision == 2)
        #expect(registry.selection == config.list.enabledTrackers)
        #expect(braze.calls.isEmpty)
    }
}

/// A configuration that runs a closure once, after it has read the selection and before it returns it.
private final class InterruptedConfig: TrackerConfigurable {
    let list = TrackerConfig()
    private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

    var revision: UInt64? { list.revision }

    var enabledTrackers: EnabledTrackers {
        let enabledTrackers = list.enabledTrackers
        interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }?()
        return enabledTrackers
    }

    func interrupt(_ body: @escaping @Sendable () -> Void) { interruption.withLock { $0 = body } }
}

/// A configuration with a list and without a revision.
private final class ListConfig: TrackerConfigurable {
    private let list: Mutex<EnabledTrackers>

    init(_ enabledTrackers: EnabledTrackers) { list = Mutex(enabledTrackers) }

    var enabledTrackers: EnabledTrackers {
        get { list.withLock { $0 } }
        set { list.withLock { $0 = newValue } }
    }
}

/// A tracker with a ledger and no other capability.
private final class LedgerTracker: Trackable, LossLedger {
    let type: TrackerType
    private let recorded = Mutex<[TrackingLoss]>([])

    init(type: TrackerType) {
        self.type = type
    }

    var losses: [TrackingLoss] { recorded.withLock { $0 } }

    func record(_ loss: TrackingLoss) { recorded.withLock { $0.append(loss) } }
}

/// A tracker without capabilities.
struct NoOpTracker: Trackable {
    let type: TrackerType
}

import CoreTrackerTesting
import MultiTracker
import Testing

extension TrackerType {
    static let adobe: TrackerType = "adobe"
    static let braze: TrackerType = "braze"
}

struct TrackerConfig: TrackerConfigurable {
    let enabledTrackers: EnabledTrackers = [.braze, .adobe]
}

/// Adobe's tracker, with `calls` instead of its SDK, as in the two other trackers.
struct AdobeTracker: Trackable {
    let type: TrackerType = "adobe"
    let calls = MockTrackable()
}

extension AdobeTracker: NavigationTrackable {
    func trackNavigate(toView: String, fromView: String) { calls.trackNavigate(toView: toView, fromView: fromView) }
    func trackBackTap(fromView: String) { calls.trackBackTap(fromView: fromView) }
    func trackSettingsOpen(fromView: String) { calls.trackSettingsOpen(fromView: fromView) }
}

extension AdobeTracker: OptionalNavigationTrackable {
    func optionalTrackTap() { calls.optionalTrackTap() }
}

struct BrazeTracker: Trackable {
    let type: TrackerType = "braze"
    let calls = MockTrackable()
}

extension BrazeTracker: NavigationTrackable {
    func trackNavigate(toView: String, fromView: String) { calls.trackNavigate(toView: toView, fromView: fromView) }
    func trackBackTap(fromView: String) { calls.trackBackTap(fromView: fromView) }
    func trackSettingsOpen(fromView: String) { calls.trackSettingsOpen(fromView: fromView) }
}

extension BrazeTracker: PlaybackTrackable {
    func trackPlay() { calls.trackPlay() }
    func trackPause() { calls.trackPause() }
    func trackStop() { calls.trackStop() }
    func trackNext() { calls.trackNext() }
    func trackPrevious() { calls.trackPrevious() }
}

struct SumoTracker: Trackable {
    let type: TrackerType = "sumo"
    let calls = MockTrackable()
}

extension SumoTracker: OptionalNavigationTrackable {
    func optionalTrackTap() { calls.optionalTrackTap() }
}

@Suite struct VendorTrackersTests {
    private let adobe = AdobeTracker()
    private let braze = BrazeTracker()
    private let sumo = SumoTracker()
    private let store = TrackerStore(config: TrackerConfig())
    private let tracker: Tracker

    init() {
        store.register(adobe)
        store.register(braze)
        store.register(sumo)
        tracker = Tracker(trackerStore: store)
    }

    @Test func `each enabled vendor gets the calls of its capabilities, and no other`() {
        tracker.trackNavigate(toView: "detail", fromView: "list")
        tracker.trackBackTap(fromView: "detail")
        tracker.trackSettingsOpen(fromView: "list")
        tracker.optionalTrackTap()

        let ways: [MockTrackable.Call] = [
            .navigate(toView: "detail", fromView: "list"), .backTap(fromView: "detail"),
            .settingsOpen(fromView: "list"),
        ]
        adobe.calls.expect(ways + [.optionalTap])
        braze.calls.expect(ways)
        sumo.calls.expect([])
    }

    @Test func `a presenter needs one capability, of any type that has it`() {
        let player: any PlaybackTrackable = tracker

        player.trackPlay()
        player.trackNext()
        player.trackPrevious()
        player.trackPause()
        player.trackStop()

        braze.calls.expect([.play, .next, .previous, .pause, .stop])
        adobe.calls.expect([])
    }

    @Test func `a second tracker of a type and a call that a vendor missed are counted`() {
        let outcome = store.register(AdobeTracker())

        tracker.optionalTrackTap()

        #expect(outcome == .duplicate)
        #expect(store.duplicateRegistrations == 1)
        #expect(store.skipCounts[.disabled] == 1)
    }
}

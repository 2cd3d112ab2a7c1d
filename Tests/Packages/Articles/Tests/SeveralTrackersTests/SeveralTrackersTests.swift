import CoreTrackerTesting
import MultiTracker
import Testing

struct BrazeTracker: Trackable {
    let type: TrackerType = "braze"
    let calls = MockTrackable()
}

extension BrazeTracker: HomeTrackable, HomeTapTrackable {
    func trackNavigate(toView: String, fromView: String) { calls.trackNavigate(toView: toView, fromView: fromView) }
    func trackLogin() { calls.trackLogin() }
    func trackHomeTap(extraParam: String) { calls.trackHomeTap(extraParam: extraParam) }
}

struct AdobeTracker: Trackable {
    let type: TrackerType = "adobe"
    let calls = MockTrackable()
}

extension AdobeTracker: HomeTrackable {
    func trackNavigate(toView: String, fromView: String) {
        calls.record(.event(.init(type, "navigate", ["from": .string(fromView), "to": .string(toView)])))
    }

    func trackLogin() { calls.trackLogin() }
}

extension AdobeTracker: PlayerTrackable {
    func trackPlay() { calls.trackPlay() }
    func trackPause() { calls.trackPause() }
    func trackNext() { calls.trackNext() }
    func trackPrevious() { calls.trackPrevious() }
}

struct SumoTracker: Trackable {
    let type: TrackerType = "sumo"
    let calls = MockTrackable()
}

extension SumoTracker: HomeTrackable {
    func trackNavigate(toView: String, fromView: String) { calls.trackNavigate(toView: toView, fromView: fromView) }
    func trackLogin() { calls.trackLogin() }
}

@Suite struct SeveralTrackersTests {
    private let braze = BrazeTracker()
    private let adobe = AdobeTracker()
    private let sumo = SumoTracker()
    private let config = TrackerConfig(.all(except: ["sumo"]))
    private let store: TrackerStore
    private let tracker: Tracker

    init() {
        store = TrackerStore(config: config)
        store.register(braze)
        store.register(adobe)
        store.register(sumo)
        tracker = Tracker(trackerStore: store)
    }

    @Test func `one call reaches every enabled vendor, which records it in its own way`() {
        tracker.trackLogin()
        tracker.trackNavigate(toView: "detail", fromView: "home")

        braze.calls.expect([.login, .navigate(toView: "detail", fromView: "home")])
        adobe.calls.expect([.login, .event(.init("adobe", "navigate", ["from": "home", "to": "detail"]))])
        sumo.calls.expect([])
    }

    @Test func `a vendor without the optional call is left out`() {
        tracker.trackHomeTap(extraParam: "summer")

        braze.calls.expect([.homeTap(extraParam: "summer")])
        adobe.calls.expect([])
        #expect(tracker.explain((any HomeTapTrackable).self).filter(\.isTracked).map(\.type) == ["braze"])
    }

    @Test func `a vendor without a stop has the other four calls of a player`() {
        tracker.trackPlay()
        tracker.trackStop()

        adobe.calls.expect([.play])
    }

    @Test func `a vendor is enabled while the app runs, and removed by its type`() {
        config.enable("sumo")
        store.unregister("adobe")

        tracker.trackLogin()

        sumo.calls.expect([.login])
        adobe.calls.expect([])
    }

    @Test func `a store keeps the first tracker of a type`() {
        #expect(store.register(BrazeTracker()) == .duplicate)
    }
}

import CoreTracker
import MultiTracker
import Testing

@Suite struct TrackerTests {
    private let config = TrackerConfig()
    private let store: TrackerStore
    private let tracker: Tracker
    private let adobe = RecordingTracker("adobe")
    private let braze = RecordingTracker("braze")

    init() {
        store = TrackerStore(config: config)
        tracker = Tracker(trackerStore: store)
        _ = store.register(adobe)
        _ = store.register(SilentTracker(type: "silent"))
        _ = store.register(braze)
    }

    @Test func `every call of every capability reaches each tracker that has it`() {
        let playback: any PlaybackTrackable = tracker
        let navigation: any NavigationTrackable = tracker

        playback.trackPlay()
        playback.trackPause()
        playback.trackStop()
        playback.trackNext()
        playback.trackPrevious()
        navigation.trackNavigate(toView: "detail", fromView: "list")
        navigation.trackBackTap()
        navigation.trackSettingsOpen()
        tracker.trackTabSelect(view: "basket")
        tracker.trackDeepLinkOpen(toView: "campaign")
        tracker.trackLogin()
        tracker.trackNavigate(toView: "deals")
        tracker.trackHomeTap()

        let expected = [
            "play", "pause", "stop", "next", "previous", "navigate list→detail", "back", "settings", "tab basket",
            "link campaign", "login", "home→deals", "home",
        ]
        #expect(adobe.calls == expected)
        #expect(braze.calls == expected)
        #expect(store.refusals.isEmpty)
    }

    @Test func `a disabled tracker gets nothing, and each call kept from it is counted`() {
        config.disable("adobe")
        tracker.trackPlay()
        tracker.trackBackTap()
        config.enable("adobe")
        tracker.trackStop()

        #expect(adobe.calls == ["stop"])
        #expect(braze.calls == ["play", "back", "stop"])
        #expect(store.refusals == [.disabled: 2])
    }

    @Test func `a capability of another module is forwarded like the module's own`() {
        config.disable("braze")

        tracker.forEach(of: (any WishlistTrackable).self) { $0.trackWish("lamp") }

        #expect(adobe.calls == ["wish lamp"])
        #expect(braze.calls.isEmpty)
        #expect(store.refusals == [.disabled: 1])
    }

    @Test func `a concrete tracker's type is a capability too`() {
        var types: [TrackerType] = []

        tracker.forEach(of: SilentTracker.self) { types.append($0.type) }

        #expect(types == ["silent"])
    }

    @Test func `a tracker whose consent is refused gets nothing until it is given`() {
        adobe.denyConsent(true)
        tracker.trackPlay()
        adobe.denyConsent(false)
        tracker.trackPause()

        #expect(adobe.calls == ["pause"])
        #expect(braze.calls == ["play", "pause"])
        #expect(store.refusals == [.noConsent: 1])
    }

    @Test func `a tracker may change the store and the configuration from inside a call`() {
        tracker.forEach(of: (any PlaybackTrackable).self) { playback in
            store.unregister("braze")
            config.disable("adobe")
            tracker.trackHomeTap()
            playback.trackPlay()
        }

        #expect(adobe.calls == ["play"])
        #expect(braze.calls == ["play"])
        #expect(!store.contains("braze"))
    }
}

import CoreTracker
import CoreTrackerTesting
import MultiTracker
import Testing

@Suite struct TrackerTests {
    private let config = TrackerConfig()
    private let store: TrackerStore
    private let tracker: Tracker
    private let adobe = MockTrackable("adobe")
    private let braze = MockTrackable("braze")

    init() {
        store = TrackerStore(config: config)
        tracker = Tracker(trackerStore: store)
        store.register(adobe)
        store.register(NoOpTracker(type: "silent"))
        store.register(braze)
    }

    @Test func `every call of every capability reaches each tracker that has it`() {
        let playback: any PlaybackTrackable = tracker
        let navigation: any NavigationTrackable = tracker
        let home: any HomeTrackable = tracker

        playback.trackPlay()
        playback.trackPause()
        playback.trackStop()
        playback.trackNext()
        playback.trackPrevious()
        navigation.trackNavigate(toView: "detail", fromView: "list")
        navigation.trackBackTap(fromView: "detail")
        navigation.trackSettingsOpen(fromView: "list")
        tracker.trackTabSelect(view: "basket")
        tracker.trackDeepLinkOpen(toView: "campaign")
        tracker.optionalTrackTap()
        tracker.trackTap(on: "buy", fromView: "detail")
        home.trackLogin()
        home.trackNavigate(toView: "deals", fromView: "home")
        tracker.trackHomeTap(extraParam: "summer")

        let expected: [MockTrackable.Call] = [
            .play, .pause, .stop, .next, .previous, .navigate(toView: "detail", fromView: "list"),
            .backTap(fromView: "detail"), .settingsOpen(fromView: "list"), .tabSelect(view: "basket"),
            .deepLinkOpen(toView: "campaign"), .optionalTap, .tap(on: "buy", fromView: "detail"), .login,
            .navigate(toView: "deals", fromView: "home"), .homeTap(extraParam: "summer"),
        ]
        adobe.expect(expected)
        braze.expect(expected)
        #expect(store.skipCounts.isEmpty)
    }

    @Test func `a vendor without a stop gets the other calls of a player`() {
        let player = StoplessPlayer()
        store.register(player)

        for call in [tracker.trackPlay, tracker.trackPause, tracker.trackStop] { call() }
        for call in [tracker.trackNext, tracker.trackPrevious] { call() }

        player.calls.expect([.play, .pause, .next, .previous])
        adobe.expect([.play, .pause, .stop, .next, .previous])
    }

    @Test func `a navigation reaches a tracker once, whether it has navigation, home or both`() {
        let (navigator, host) = (Navigator(), Host())
        store.register(navigator)
        store.register(host)

        tracker.trackNavigate(toView: "detail", fromView: "list")

        adobe.expect([.navigate(toView: "detail", fromView: "list")])
        navigator.calls.expect([.navigate(toView: "detail", fromView: "list")])
        host.calls.expect([.navigate(toView: "detail", fromView: "list")])
    }

    @Test func `a tracker without a capability gets none of its calls`() {
        let (navigator, host) = (Navigator(), Host())
        store.register(navigator)
        store.register(host)

        tracker.trackBackTap(fromView: "detail")
        tracker.trackLogin()

        navigator.calls.expect([.backTap(fromView: "detail")])
        host.calls.expect([.login])
    }

    @Test func `a tracker that records taps, and nothing else, has one method`() {
        let taps = Taps()
        store.register(taps)

        tracker.optionalTrackTap()
        tracker.trackTabSelect(view: "basket")
        tracker.trackPlay()

        taps.calls.expect([.optionalTap])
    }

    @Test func `a disabled tracker gets nothing, and each call kept from it is counted`() {
        config.disable("adobe")
        tracker.trackPlay()
        tracker.trackBackTap(fromView: "list")
        config.enable("adobe")
        tracker.trackStop()

        #expect(adobe.calls == [.stop])
        #expect(braze.calls == [.play, .backTap(fromView: "list"), .stop])
        #expect(store.skipCounts == [.disabled: 2])
    }

    @Test func `a capability of another module is forwarded like those of this module`() {
        config.disable("braze")

        tracker.forEach(of: (any WishlistTrackable).self) { $0.trackWish("lamp") }

        #expect(adobe.calls == [.wish("lamp")])
        #expect(braze.calls.isEmpty)
        #expect(store.skipCounts == [.disabled: 1])
    }

    @Test func `a concrete tracker's type is a capability too`() {
        var types: [TrackerType] = []

        tracker.forEach(of: NoOpTracker.self) { types.append($0.type) }

        #expect(types == ["silent"])
    }

    @Test func `a tracker without consent gets nothing until consent is granted`() {
        adobe.isConsentDenied = true
        tracker.trackPlay()
        adobe.isConsentDenied = false
        tracker.trackPause()

        #expect(adobe.calls == [.pause])
        #expect(braze.calls == [.play, .pause])
        #expect(store.skipCounts == [.noConsent: 1])
    }

    @Test func `a tracker may change the store and the configuration from inside a call`() {
        tracker.forEach(of: (any PlaybackTrackable).self) { playback in
            store.unregister("braze")
            config.disable("adobe")
            tracker.trackHomeTap(extraParam: "")
            playback.trackPlay()
        }

        #expect(adobe.calls == [.play])
        #expect(braze.calls == [.play])
        #expect(!store.contains("braze"))
    }
}

/// A vendor that records navigation, but not the home screen.
private struct Navigator: NavigationTrackable, Trackable {
    let type: TrackerType = "navigator"
    let calls = MockTrackable()

    func trackNavigate(toView: String, fromView: String) { calls.trackNavigate(toView: toView, fromView: fromView) }
    func trackBackTap(fromView: String) { calls.trackBackTap(fromView: fromView) }
    func trackSettingsOpen(fromView: String) { calls.trackSettingsOpen(fromView: fromView) }
}

/// A vendor that records the home screen, but not other navigation.
private struct Host: HomeTrackable, Trackable {
    let type: TrackerType = "host"
    let calls = MockTrackable()

    func trackNavigate(toView: String, fromView: String) { calls.trackNavigate(toView: toView, fromView: fromView) }
    func trackLogin() { calls.trackLogin() }
}

/// A vendor that records a player without a stop.
private struct StoplessPlayer: PlayerTrackable, Trackable {
    let type: TrackerType = "player"
    let calls = MockTrackable()

    func trackPlay() { calls.trackPlay() }
    func trackPause() { calls.trackPause() }
    func trackNext() { calls.trackNext() }
    func trackPrevious() { calls.trackPrevious() }
}

/// A vendor that records only taps.
private struct Taps: OptionalNavigationTrackable, Trackable {
    let type: TrackerType = "taps"
    let calls = MockTrackable()

    func optionalTrackTap() { calls.optionalTrackTap() }
}

/// A capability declared outside `MultiTracker`, as in a feature module.
protocol WishlistTrackable: Sendable {
    func trackWish(_ product: String)
}

extension MockTrackable: WishlistTrackable {
    func trackWish(_ product: String) { record(.wish(product)) }
}

extension MockTrackable.Call {
    /// A call of a capability without a declaration in the mock.
    static func wish(_ product: String) -> MockTrackable.Call {
        .event(VendorEvent("wishlist", "wish", ["product": .string(product)]))
    }
}

/// An event for Firebase and for the given vendors.
struct AddressedEvent: CoreTrackable {
    var vendors: [TrackerType]
    var name = "signed_up"

    var services: [EventService] {
        [.firebase(FirebaseEvent(name: name))] + vendors.map { .vendor(VendorEvent($0, name)) }
    }
}

import CoreTracker
import EventDelivery
import EventDeliveryTesting
import MultiTracker
import SumoTracker
import Testing

@Suite struct SumoTrackerTests {
    private let engine = DeliveryEngine(clock: TestClock())
    private let store = TrackerStore()
    private let tracker: Tracker

    init() {
        tracker = Tracker(trackerStore: store)
    }

    @Test func `each call of a capability becomes a line`() async throws {
        let transport = ScriptedTransport()
        let source = try SumoConfiguration(address: "https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
        let destination = SumoDestination(product: "DL", configuration: source)
        _ = store.register(SumoTracker(product: "DL", delivery: engine) { ["channel": "app"] })
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )

        callEverything()
        let report = await engine.flush(deadline: .seconds(5))

        let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(report.isDrained)
        #expect(
            body.matches(of: /"event":"([a-z_]+)"/).map { String($0.1) } == [
                "play_start", "play_pause", "play_stop", "play_next", "play_previous", "navigate", "back_tap",
                "settings_open", "tab_select", "deep_link_open", "login", "home_navigate", "home_tap", "signed_up",
            ]
        )
        #expect(body.contains(#""properties":{"channel":"app","to_view":"detail","from_view":"list"}"#))
        #expect(body.contains(#""properties":{"channel":"web","plan":"family"}"#))
        try await LedgerCheck.check(engine)
    }

    @Test func `an app wires Sumo Logic in three lines`() throws {
        let address: Secret = "https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh=="

        let source = try SumoConfiguration(address: address, metadata: SumoMetadata(category: "mobile/ios/tracking"))
        let destination = SumoDestination(product: "DL", configuration: source)
        let outcome = store.register(SumoTracker(product: "DL", delivery: engine))

        #expect(outcome == .registered)
        #expect(destination.lane == LaneID(product: "DL", service: "sumo"))
    }

    private func callEverything() {
        tracker.trackPlay()
        tracker.trackPause()
        tracker.trackStop()
        tracker.trackNext()
        tracker.trackPrevious()
        tracker.trackNavigate(toView: "detail", fromView: "list")
        tracker.trackBackTap()
        tracker.trackSettingsOpen()
        tracker.trackTabSelect(view: "basket")
        tracker.trackDeepLinkOpen(toView: "campaign")
        tracker.trackLogin()
        tracker.trackNavigate(toView: "deals")
        tracker.trackHomeTap()
        tracker.track(VendorEvent(name: "signed_up", parameters: ["channel": "web", "plan": "family"]), type: .sumo)
    }
}

import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import MultiTracker
import SFTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct SFTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                SFTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }

    @Test(arguments: ProductTrackerContract.checks)
    func `keeps the contract of a product's tracker`(check: ProductTrackerContract.Check) async throws {
        try await check.run(.init(product: "SF") { SFTracker(on: $0) })
    }

    @Test func `with default arguments, it tracks on the shared engine's lanes and sends nothing`() async {
        SFTracker().track(Shared())

        let lanes = await DeliveryEngine.shared.statistics().filter { $0.id.product == "SF" && $0.ledger.accepted > 0 }
        #expect(Set(lanes.map(\.id)).isSuperset(of: Shared.lanes))
        let report = await DeliveryEngine.shared.flush(timeout: .zero)
        #expect(report.lanes.allSatisfy { $0.outcome == .notOpen && $0.delivered == 0 })
    }
}

/// An event for all services.
private struct Shared: CoreTrackable {
    static let lanes: Set<LaneID> = [
        .firebase(product: "SF"), .awesomeTracking(product: "SF"), LaneID(product: "SF", service: "braze"),
    ]

    var services: [EventService] {
        FirebaseEvent("share")
        AwesomeTrackingEvent("shared")
        VendorEvent("braze", "shared")
    }
}

@Suite struct SFSettingsTests {
    @Test func `every event carries Starfield's channel, product and mode, and no shop parameters`() {
        let defaults = SFSettings(mode: .selfPlay).awesomeTrackingDefaults

        #expect(defaults.map(\.key.name) == ["channel", "product_id", "mode", "platform"])
        #expect(defaults["channel"] == "starfield")
        #expect(defaults["product_id"] == "SF")
        #expect(defaults["mode"] == "self_play")
    }
}

@Suite struct SFNavigationTests {
    @Test func `moves between screens become events of the tracker`() {
        let tracker = MockTracker()
        let navigation: any NavigationTrackable = SFNavigation(tracker: tracker)

        navigation.trackNavigate(toView: "game", fromView: "menu")
        navigation.trackBackTap(fromView: "game")
        navigation.trackSettingsOpen(fromView: "menu")

        tracker.expect([
            SFNavigated(toView: "game", fromView: "menu"),
            SFTapped(control: .back, fromView: "game"),
            SFTapped(control: .settings, fromView: "menu"),
        ])
    }
}

@Suite struct SFNavigatedTests {
    @Test func `Firebase gets the screen, and AwesomeTracking also gets the previous screen`() {
        let event = SFNavigated(toView: "game", fromView: "menu")

        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "screen_view", parameters: ["screen_name": "game"])),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "screen_opened",
                        parameters: ["screen": "game", "previous_screen": "menu"]
                    )
                ),
            ]
        )
    }
}

@Suite struct SFTappedTests {
    @Test(arguments: SFTapped.Control.allCases)
    func `only AwesomeTracking gets the control and its screen`(control: SFTapped.Control) {
        let parameters: EventParameters = ["control": .string(control.rawValue), "screen": "menu"]
        let event = AwesomeTrackingEvent(name: "control_tapped", parameters: parameters)

        #expect(SFTapped(control: control, fromView: "menu").services == [.awesomeTracking(event)])
    }
}

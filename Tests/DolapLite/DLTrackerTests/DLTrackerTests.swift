import Analytics
import CoreTracker
import CoreTrackerTesting
import DLTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DLTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                DLTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }

    @Test(arguments: ProductTrackerContract.checks)
    func `keeps the contract of a product's tracker`(check: ProductTrackerContract.Check) async throws {
        try await check.run(.init(product: "DL") { DLTracker(on: $0) })
    }

    @Test func `with default arguments, it tracks on the shared engine's lanes and sends nothing`() async {
        DLTracker().track(Shared())

        let lanes = await DeliveryEngine.shared.statistics().filter { $0.id.product == "DL" && $0.ledger.accepted > 0 }
        #expect(Set(lanes.map(\.id)).isSuperset(of: Shared.lanes))
        let report = await DeliveryEngine.shared.flush(timeout: .zero)
        #expect(report.lanes.allSatisfy { $0.outcome == .notOpen && $0.delivered == 0 })
    }

    @Test func `another engine and other settings replace the shared instances`() async throws {
        let rows = RecordingDestination(lane: .awesomeTracking(product: "DL"))
        let engine = try await rows.makeEngine()
        let settings = ProductSettings(DLSettings()) { $0.awesomeTrackingDefaults }
        let tracker = DLTracker(on: engine, settings: settings)

        tracker.track(Shared())
        settings.update { $0.storefront = .azerbaijan }
        tracker.track(Shared())
        _ = await engine.flush(timeout: .seconds(5))

        #expect(rows.events.map { $0.defaults["storefront"] } == ["TR", "AZ"])
        #expect(DLSettings.current.value == DLSettings())
        let dropped = await engine.statistics().first { $0.id.service == "braze" }?.ledger.dropped
        #expect(dropped == [.noVendorService: 2])
    }

    @Test(arguments: [false, true])
    func `a product adds its default parameters to Firebase in one line`(hasDefaults: Bool) {
        let firebase = MockFirebaseService()
        let withDefaults = ServiceWithDefaults(firebase) { DLSettings.current.defaults }
        let tracker = hasDefaults ? DLTracker(firebaseService: withDefaults) : DLTracker(firebaseService: firebase)

        tracker.track(Shared())

        #expect(firebase.events.map { $0.defaults["storefront"] } == [hasDefaults ? "TR" : nil])
    }
}

/// An event for all services.
private struct Shared: CoreTrackable {
    static let lanes: Set<LaneID> = [
        .firebase(product: "DL"), .awesomeTracking(product: "DL"), LaneID(product: "DL", service: "braze"),
    ]

    var services: [EventService] {
        FirebaseEvent("share")
        AwesomeTrackingEvent("shared")
        VendorEvent("braze", "shared")
    }
}

@Suite struct DLSettingsTests {
    @Test func `every event carries Dolap Lite's channel, product and storefront`() {
        let defaults = DLSettings(storefront: .azerbaijan).awesomeTrackingDefaults

        #expect(defaults["channel"] == "dolap_lite")
        #expect(defaults["product_id"] == "DL")
        #expect(defaults["storefront"] == "AZ")
        #expect(defaults["currency"] == "AZN")
        #expect(defaults["language"] == "az")
        #expect(defaults["platform"] != nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct DLAnalyticsServiceTests {
    private let step = Journey.Event(name: "basketOpened", properties: ["itemCount": 2])

    @Test func `a step is accepted by Dolap Lite's lane of the engine`() async throws {
        let engine = DeliveryEngine(clock: TestClock())

        DLAnalyticsService(on: engine).send(event: step)

        let lane = try #require(await engine.statistics().first)
        #expect(lane.id == LaneID(product: "DL", service: "googleAnalytics") && lane.ledger.accepted == 1)
    }
}

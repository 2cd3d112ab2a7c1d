import CoreTracker
import CoreTrackerTesting
import DLProductDetail
import DLTracker
import EventDelivery
import EventDeliveryTesting
import MultiTracker
import Testing

/// Tests of an app that opens the shared engine.
///
/// Each test runs in a separate process, because the engine stays open.
@Suite struct StartUpTests {
    @Test func `a presenter with default arguments delivers with the current storefront`() async {
        await #expect(processExitsWith: .success) {
            let rows = RecordingDestination(lane: .awesomeTracking(product: "DL"))
            let product = DLProduct(id: "7", price: 35.79, currency: "TRY")
            try await DeliveryEngine.shared.open(
                DeliveryConfiguration(directory: nil, destinations: [rows], transport: ScriptedTransport())
            )

            await DLProductDetailPresenter(product: product).appear()
            DLSettings.current.update { $0.storefront = .azerbaijan }
            await DLProductDetailPresenter(product: product).like()
            await DeliveryEngine.shared.close(deadline: .seconds(5))

            try #require(rows.events.map(\.name) == ["product_viewed", "product_liked"])
            try #require(rows.events.map { $0.defaults["storefront"] } == ["TR", "AZ"])
            try #require(rows.events.map { $0.defaults["screen"] } == ["product_detail", "product_detail"])
        }
    }

    @Test func `a disabled vendor gets no events from the next call on`() async {
        let (config, braze) = (TrackerConfig(), MockTrackable("braze"))
        let store = TrackerStore(config: config)
        store.register(braze)
        let engine = DeliveryEngine(clock: TestClock())
        let tracker = DLTracker(on: engine, vendorService: Tracker(trackerStore: store))
        let presenter = await DLProductDetailPresenter(
            product: DLProduct(id: "7", price: 35.79, currency: "TRY"),
            tracker: DLProductDetailTracker(tracker)
        )

        await presenter.like()
        config.disable("braze")
        await presenter.like()
        config.enable("braze")
        await presenter.like()

        #expect(braze.calls.count == 2)
        #expect(store.skipCounts == [.disabled: 1])
        #expect(await engine.statistics().map(\.id.service) == ["awesomeTracking", "firebase"])
    }

    @Test func `without an app, nothing is sent`() async {
        await #expect(processExitsWith: .success) {
            await DLProductDetailPresenter(product: DLProduct(id: "7", price: 35.79, currency: "TRY")).appear()

            let report = await DeliveryEngine.shared.flush(deadline: .zero)
            try #require(
                report.lanes.allSatisfy { $0.outcome == .noDestination && $0.delivered == 0 && $0.pending == 1 }
            )
        }
    }
}

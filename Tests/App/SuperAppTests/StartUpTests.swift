import AdobeTracker
import BrazeTracker
import CoreTracker
import CoreTrackerTesting
import DLProductDetail
import DLTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import MultiTracker
import SumoTracker
import SuperApp
import Testing

/// Tests of an app that opens the shared engine.
///
/// Each test runs in a separate process, because the engine stays open.
@Suite(.timeLimit(.minutes(5))) struct StartUpTests {
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
            await DeliveryEngine.shared.close(timeout: .seconds(5))

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

            let report = await DeliveryEngine.shared.flush(timeout: .zero)
            try #require(
                report.lanes.allSatisfy { $0.outcome == .notOpen && $0.delivered == 0 && $0.pending == 1 }
            )
        }
    }
}

@Suite struct VendorEntryTests {
    @Test(arguments: VendorEntry.all.map(\.type))
    func `a vendor's tracker, lane and receiver use its type's name`(type: TrackerType) throws {
        let vendor = try #require(VendorEntry.all.first { $0.type == type })

        let destination = try vendor.destination(product: "XY", at: Endpoint("https://vendor.example"))
        let tracker = vendor.tracker(product: "XY", on: DeliveryEngine(clock: TestClock()))

        #expect(destination.lane == LaneID(product: "XY", service: type.name))
        #expect(tracker.type == type)
        #expect(vendor.collectorService.name == type.name)
    }

    @Test func `each vendor is listed once`() {
        #expect(Set(VendorEntry.all).count == VendorEntry.all.count)
    }

    @Test func `vendors use the shared engine by default, and a list selects vendors`() {
        let store = TrackerStore(config: TrackerConfig([.braze, .adobe]))
        store.register(AdobeTracker(product: "DL"))
        store.register(BrazeTracker(product: "DL"))
        store.register(SumoTracker(product: "DL"))
        let tracker = Tracker(trackerStore: store)
        tracker.trackNavigate(toView: "detail", fromView: "list")

        let navigation = tracker.explain((any NavigationTrackable).self)
        #expect(navigation.map(\.description) == ["adobe: tracked", "braze: tracked", "sumo: disabled"])
        #expect(store.skipCounts == [.disabled: 1])
    }
}

@Suite struct ProductEntryTests {
    @Test(arguments: ProductEntry.all.map(\.prefix))
    func `a product's modules and catalogs begin with its prefix`(prefix: String) throws {
        let product = try #require(ProductEntry.all.first { $0.prefix == prefix })

        let own = product.catalogs.filter { !["AppTracking", "FeatureFlags"].contains($0.module) }
        #expect(own.allSatisfy { $0.module.hasPrefix(prefix) })
        #expect(product.catalogs.allSatisfy { $0.product == prefix })
        let tracker = product.tracker(vendorService: NoVendorService(product: prefix))
        #expect(String(describing: type(of: tracker)) == "\(prefix)Tracker")
    }

    @Test func `products, modules and events are listed once`() {
        let modules = [EventCatalog].all.map(\.module)

        #expect(Set(ProductEntry.all.map(\.prefix)).count == ProductEntry.all.count)
        #expect(Set(modules).count == modules.count)
    }
}

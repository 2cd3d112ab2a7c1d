import AdobeTracker
import BrazeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import MultiTracker
import SumoTracker
import SuperApp
import Testing

@Suite struct VendorEntryTests {
    @Test(arguments: VendorEntry.all.map(\.type))
    func `a vendor's tracker, lane and receiver use its type's name`(type: TrackerType) throws {
        let vendor = try #require(VendorEntry.all.first { $0.type == type })

        let destination = try vendor.destination(product: "XY", at: Endpoint("https://vendor.example"))
        let tracker = vendor.tracker(product: "XY", delivery: DeliveryEngine(clock: TestClock()))

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

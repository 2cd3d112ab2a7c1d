import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import MultiTracker
import SuperApp
import Testing

@Suite struct VendorEntryTests {
    @Test(arguments: VendorEntry.all.map(\.type))
    func `a vendor's tracker, lane and receiver go by its type's name`(type: TrackerType) throws {
        let vendor = try #require(VendorEntry.all.first { $0.type == type })

        let destination = try vendor.destination(product: "XY", at: "https://vendor.example")
        let tracker = vendor.tracker(product: "XY", delivery: DeliveryEngine(clock: TestClock()))

        #expect(destination.lane == LaneID(product: "XY", service: type.name))
        #expect(tracker.type == type)
        #expect(vendor.collected.name == type.name)
    }

    @Test func `each vendor stands once in the list`() {
        #expect(Set(VendorEntry.all).count == VendorEntry.all.count)
    }
}

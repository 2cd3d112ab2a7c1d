import CoreTracker
import EventDelivery
import EventDeliveryTesting
import MultiTracker
import SuperApp
import TrackingPlan

extension CapabilityEvents {
    /// Returns the events that each vendor's tracker creates for all capability calls, for a product.
    static func all(product: String = "DL") async throws -> [CapabilityEvents] {
        var all: [CapabilityEvents] = []
        for vendor in VendorEntry.all {
            let destination = RecordingDestination(lane: LaneID(product: product, service: vendor.type.name))
            let engine = try await destination.makeEngine()
            let store = TrackerStore()
            store.register(vendor.tracker(product: product, delivery: engine))
            CapabilityCalls.callAll(of: Tracker(trackerStore: store))
            await engine.close(deadline: .seconds(5))
            let events = destination.events.map { VendorEvent(vendor.type, $0.name, $0.parameters) }
            all.append(CapabilityEvents(product: product, vendor: vendor.type, events: events))
        }
        return all
    }
}

import CoreTracker
import EventDelivery
import MultiTracker
import SuperApp

/// The vendors behind one call: all of them registered, some of them enabled.
struct Vendors: Sendable {
    /// The vendors that are called unless the user switches them.
    static let enabledByDefault = Set(VendorEntry.all).subtracting([.sumo])

    /// What a screen calls.
    let tracker: Tracker
    private let store: TrackerStore
    private let config: TrackerConfig

    /// Registers a tracker for each vendor on an engine.
    init(on engine: DeliveryEngine, enabled: Set<VendorEntry>) {
        config = TrackerConfig(.only(Set(enabled.map(\.type))))
        store = TrackerStore(config: config)
        tracker = Tracker(trackerStore: store)
        for vendor in VendorEntry.all {
            store.register(vendor.tracker(product: vendor.lane.product, delivery: engine))
        }
    }

    /// How often a call was meant for a vendor that is disabled.
    var disabledCalls: Int { store.refusals[.disabled] ?? 0 }

    /// The first of the vendors that are called; `nil` when none is.
    var firstEnabled: VendorEntry? { VendorEntry.all.first(where: isEnabled) }

    /// Switches a vendor off while the app runs; returns what becomes of its playback calls from now on.
    func disable(_ vendor: VendorEntry) -> String {
        config.disable(vendor.type)
        return explanation(of: vendor)
    }

    /// Switches a vendor on while the app runs; returns what becomes of its playback calls from now on.
    func enable(_ vendor: VendorEntry) -> String {
        config.enable(vendor.type)
        return explanation(of: vendor)
    }

    private func explanation(of vendor: VendorEntry) -> String {
        let explanations = tracker.explain((any PlaybackTrackable).self)
        return explanations.first { $0.type == vendor.type }.map { "[\($0)]" } ?? ""
    }

    /// Whether a vendor is called.
    func isEnabled(_ vendor: VendorEntry) -> Bool { config.enabledTrackers.contains(vendor.type) }
}

extension VendorEntry {
    /// The vendor's lane for the product whose app the playback journey is.
    var lane: LaneID { LaneID(product: Product.dolapLite.rawValue, service: type.name) }
}

import CoreTracker
import EventDelivery
import MultiTracker

/// The vendors behind one call: all of them registered, some of them enabled.
struct Vendors: Sendable {
    /// The vendors that are called unless the user switches them.
    static let enabledByDefault: Set<Vendor> = [.braze, .sumo]

    /// What a screen calls.
    let tracker: Tracker
    private let store: TrackerStore
    private let config: TrackerConfig

    /// Registers a tracker for each vendor on an engine.
    init(on engine: DeliveryEngine, enabled: Set<Vendor>) {
        config = TrackerConfig(.only(Set(enabled.map(\.type))))
        store = TrackerStore(config: config)
        tracker = Tracker(trackerStore: store)
        for vendor in Vendor.allCases { store.register(vendor.tracker(on: engine)) }
    }

    /// How often a call was meant for a vendor that is disabled.
    var disabledCalls: Int { store.refusals[.disabled] ?? 0 }

    /// Whether a vendor is called.
    func isEnabled(_ vendor: Vendor) -> Bool { config.enabledTrackers.contains(vendor.type) }
}

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

    /// The first of the vendors that are called; `nil` when none is.
    var firstEnabled: Vendor? { Vendor.allCases.first(where: isEnabled) }

    /// Switches a vendor off while the app runs; returns what becomes of its playback calls from now on.
    func disable(_ vendor: Vendor) -> String {
        config.disable(vendor.type)
        return explanation(of: vendor)
    }

    /// Switches a vendor on while the app runs; returns what becomes of its playback calls from now on.
    func enable(_ vendor: Vendor) -> String {
        config.enable(vendor.type)
        return explanation(of: vendor)
    }

    private func explanation(of vendor: Vendor) -> String {
        let explanations = tracker.explain((any PlaybackTrackable).self)
        return explanations.first { $0.type == vendor.type }.map { "[\($0)]" } ?? ""
    }

    /// Whether a vendor is called.
    func isEnabled(_ vendor: Vendor) -> Bool { config.enabledTrackers.contains(vendor.type) }
}

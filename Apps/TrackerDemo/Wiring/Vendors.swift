import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import Locks
import MultiTracker
import SuperApp

/// The vendors behind one tracker.
///
/// All are registered, and some are enabled.
struct Vendors: Sendable {
    /// The enabled vendors, unless the user changes them.
    static let enabledByDefault = Set(VendorEntry.all).subtracting([.sumo])

    /// The tracker that screens call.
    let tracker: Tracker
    private let store: TrackerStore
    private let config: TrackerConfig

    /// Registers a tracker for each vendor on an engine.
    init(on engine: DeliveryEngine, enabled: Set<VendorEntry>) {
        config = TrackerConfig(.only(Set(enabled.map(\.type))))
        store = TrackerStore(config: config)
        tracker = Tracker(trackerStore: store)
        for vendor in VendorEntry.all {
            store.register(vendor.tracker(product: vendor.lane.product, on: engine))
        }
    }

    /// The number of calls to disabled vendors.
    var disabledCalls: Int { store.skipCounts[.disabled] ?? 0 }

    /// The first enabled vendor, if any.
    var firstEnabled: VendorEntry? { VendorEntry.all.first(where: isEnabled) }

    /// Disables a vendor at run time.
    ///
    /// - Returns: A description of the effect on its playback calls.
    func disable(_ vendor: VendorEntry) -> String {
        config.disable(vendor.type)
        return explanation(of: vendor)
    }

    /// Enables a vendor at run time.
    ///
    /// - Returns: A description of the effect on its playback calls.
    func enable(_ vendor: VendorEntry) -> String {
        config.enable(vendor.type)
        return explanation(of: vendor)
    }

    private func explanation(of vendor: VendorEntry) -> String {
        let explanations = tracker.explain((any PlaybackTrackable).self)
        return explanations.first { $0.type == vendor.type }.map { "[\($0)]" } ?? ""
    }

    /// Whether a vendor is enabled.
    func isEnabled(_ vendor: VendorEntry) -> Bool { config.enabledTrackers.contains(vendor.type) }
}

extension VendorEntry {
    /// The vendor's lane for the product of the playback journey.
    var lane: LaneID { LaneID(product: Product.dolapLite.rawValue, service: type.name) }
}

/// A stand-in for Firebase's SDK, which exists only for Apple platforms.
///
/// It counts events by name.
final class FirebaseSDKStandIn: FirebaseSDKAdapter {
    private let counts = Mutex<[String: Int]>([:])

    func logEvent(_ name: String, parameters: EventParameters, userID: String?) {
        counts.withLock { $0[name, default: 0] += 1 }
    }

    /// The number of events by name.
    var text: String {
        counts.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}

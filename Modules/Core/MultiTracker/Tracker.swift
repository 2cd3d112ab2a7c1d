public import CoreTracker

/// A tracker that forwards each call to the enabled trackers of a store that have the capability.
///
/// ```swift
/// let playback: any PlaybackTrackable = tracker
/// let navigation: any NavigationTrackable = tracker
/// let home: any HomeTrackable = tracker
///
/// playback.trackPlay()
/// ```
///
/// Trackers are called on the caller's thread, in the order of their registration. A tracker may call the same
/// `Tracker` or its store again.
public struct Tracker: Sendable {
    private let trackerStore: TrackerStore

    /// Creates a tracker for a store.
    ///
    /// - Parameter trackerStore: The registered trackers. Several trackers may share a store.
    public init(trackerStore: TrackerStore) {
        self.trackerStore = trackerStore
    }

    /// Calls every enabled tracker that has a capability.
    ///
    /// The capability can be declared in another module, such as `(any WishlistTrackable).self`. Disabled trackers with
    /// the capability, and trackers without consent, are counted and not called.
    ///
    /// - Parameters:
    ///   - capability: The capability's protocol type.
    ///   - body: Called with each tracker, in the order of registration.
    public func forEach<Capability: Sendable>(of capability: Capability.Type, _ body: (Capability) -> Void) {
        let table = trackerStore.table(of: capability)
        if table.disabledCount > 0 { trackerStore.count(.disabled, table.disabledCount) }
        for entry in table.enabled {
            if entry.registration.isConsentDenied {
                trackerStore.count(.noConsent)
            } else {
                body(entry.tracker)
            }
        }
    }

    /// Explains for each registered tracker whether a call of a capability would reach it.
    ///
    /// - Parameter capability: The capability's protocol type.
    /// - Returns: The explanations in the order of registration.
    public func explain<Capability: Sendable>(_ capability: Capability.Type) -> [TrackerExplanation] {
        let conforming = Set(trackerStore.table(of: capability).conforming.map(\.registration.type))
        let registry = trackerStore.registry
        return registry.registrations.map { registration in
            let hasCapability = conforming.contains(registration.type)
            let skipReason = Tracker.skipReason(
                of: registration,
                hasCapability: hasCapability,
                under: registry.selection
            )
            return TrackerExplanation(type: registration.type, skipReason: skipReason)
        }
    }

    /// Explains for each tracker whether an event would reach it.
    ///
    /// - Parameter event: The event. It is not tracked.
    /// - Returns: The explanations for the vendors of the event, in the event's order, then those for the other
    ///   registered trackers.
    public func explain(_ event: some CoreTrackable) -> [TrackerExplanation] {
        let registry = trackerStore.registry
        var addressed: Set<TrackerType> = []
        var explanations: [TrackerExplanation] = []
        for case .vendor(let event) in event.services where addressed.insert(event.type).inserted {
            let skipReason = Tracker.skipReason(of: event.type, in: registry)
            explanations.append(TrackerExplanation(type: event.type, skipReason: skipReason))
        }
        let others = registry.registrations.lazy.map(\.type).filter { !addressed.contains($0) }
        return explanations + others.map { TrackerExplanation(type: $0, skipReason: .notAddressed) }
    }

    private static func skipReason(of type: TrackerType, in registry: TrackerRegistry) -> TrackerSkipReason? {
        guard let registration = registry[type] else { return .notRegistered }
        let hasCapability = registration.vendorEvents != nil
        return skipReason(of: registration, hasCapability: hasCapability, under: registry.selection)
    }

    private static func skipReason(
        of registration: Registration,
        hasCapability: Bool,
        under selection: EnabledTrackers
    ) -> TrackerSkipReason? {
        if !selection.contains(registration.type) { return .disabled }
        if !hasCapability { return .noCapability }
        return registration.isConsentDenied ? .noConsent : nil
    }
}

extension Tracker: VendorService {
    public func track(_ event: VendorEvent) {
        let registry = trackerStore.registry
        if let skipReason = Tracker.skipReason(of: event.type, in: registry) {
            return trackerStore.count(skipReason, for: event.type, in: registry)
        }
        registry[event.type]?.vendorEvents?.track(event)
    }
}

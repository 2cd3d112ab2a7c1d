public import CoreTracker

/// Several vendors behind one call: forwards each call to every enabled tracker of a store that has the capability.
///
/// Trackers are called on the caller's thread, in the order of their registration. A tracker may call back into the
/// same tracker or its store.
public struct Tracker: Sendable {
    private let trackerStore: TrackerStore

    /// Creates a tracker on a store; several trackers may share one.
    public init(trackerStore: TrackerStore) {
        self.trackerStore = trackerStore
    }

    /// Calls every enabled tracker that has a capability, also one that another module defines:
    /// `tracker.forEach(of: (any WishlistTrackable).self) { $0.trackWish() }`.
    ///
    /// A disabled tracker that has the capability, and one whose consent is refused, are counted and not called.
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

    /// Says of every registered tracker whether a call of a capability would reach it, in the order of registration.
    public func explain<Capability: Sendable>(_ capability: Capability.Type) -> [TrackerExplanation] {
        let conforming = Set(trackerStore.table(of: capability).conforming.map(\.registration.type))
        let registry = trackerStore.registry
        return registry.registrations.map { registration in
            let hasCapability = conforming.contains(registration.type)
            let refusal = Tracker.refusal(of: registration, hasCapability: hasCapability, under: registry.selection)
            return TrackerExplanation(type: registration.type, refusal: refusal)
        }
    }

    /// Says which trackers an event would reach and why it would not reach the others.
    ///
    /// The vendors that the event names come first, in its order, then the registered trackers that it does not name.
    public func explain(_ event: some CoreTrackable) -> [TrackerExplanation] {
        let registry = trackerStore.registry
        var addressed: Set<TrackerType> = []
        var explanations: [TrackerExplanation] = []
        for case .vendor(let event) in event.services where addressed.insert(event.type).inserted {
            let refusal = Tracker.refusal(of: event.type, in: registry)
            explanations.append(TrackerExplanation(type: event.type, refusal: refusal))
        }
        let others = registry.registrations.lazy.map(\.type).filter { !addressed.contains($0) }
        return explanations + others.map { TrackerExplanation(type: $0, refusal: .notAddressed) }
    }

    private static func refusal(of type: TrackerType, in registry: TrackerRegistry) -> TrackerRefusal? {
        guard let registration = registry[type] else { return .notRegistered }
        let hasCapability = registration.vendorEvents != nil
        return refusal(of: registration, hasCapability: hasCapability, under: registry.selection)
    }

    private static func refusal(
        of registration: Registration,
        hasCapability: Bool,
        under selection: EnabledTrackers
    ) -> TrackerRefusal? {
        if !selection.contains(registration.type) { return .disabled }
        if !hasCapability { return .noCapability }
        return registration.isConsentDenied ? .noConsent : nil
    }
}

extension Tracker: VendorService {
    public func track(_ event: VendorEvent) {
        let registry = trackerStore.registry
        if let refusal = Tracker.refusal(of: event.type, in: registry) { return trackerStore.count(refusal) }
        registry[event.type]?.vendorEvents?.track(event)
    }
}

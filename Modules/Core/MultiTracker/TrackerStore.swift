public import CoreTracker
import Locks

/// A registry of an app's trackers, one for each type.
///
/// ```swift
/// let store = TrackerStore(config: TrackerConfig([.braze, .adobe]))
/// store.register(AdobeTracker(product: "DL"))
/// store.register(BrazeTracker(product: "DL"))
/// store.register(SumoTracker(product: "DL"))
/// let tracker = Tracker(trackerStore: store)
/// tracker.trackNavigate(toView: "detail", fromView: "list")
/// ```
///
/// All members may be called from any thread. The list of trackers is not public. A capability is resolved once, by a
/// dynamic cast of each tracker: at its first use, or at the registration of a later tracker. The cost of a call does
/// not depend on the registered trackers that it does not reach. The store calls no code of a tracker or a
/// configuration under its lock.
public final class TrackerStore: Sendable {
    private let config: any TrackerConfigurable
    private let ledger: (any LossLedger)?
    private let console: PrintingService
    private let latest: Mutex<TrackerRegistry>
    private let shared: SharedReference<TrackerRegistry>
    private let skipCounter = SkipCounter()
    private let duplicates = Atomic<Int>(0)

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - config: Selects which of the registered trackers are called; by default, all of them.
    ///   - ledger: Counts the events for vendors that get none, and reports duplicate registrations. By default, it is
    ///     the first registered tracker that is a `LossLedger`, as the trackers of Adobe, Braze and Sumo are. If there
    ///     is none, the store prints a duplicate.
    public convenience init(config: any TrackerConfigurable = TrackerConfig(), ledger: (any LossLedger)? = nil) {
        self.init(config: config, ledger: ledger, console: PrintingService())
    }

    /// Creates a store that prints to a given console.
    init(config: any TrackerConfigurable, ledger: (any LossLedger)?, console: PrintingService) {
        self.config = config
        self.ledger = ledger
        self.console = console
        let revision = config.revision
        let registry = TrackerRegistry(selection: config.enabledTrackers, revision: revision)
        latest = Mutex(registry)
        shared = SharedReference(registry)
    }

    /// Registers a tracker, unless there is one of the same type.
    ///
    /// - Parameter tracker: The tracker.
    /// - Returns: Whether the tracker was registered. A duplicate is also counted in ``duplicateRegistrations`` and
    ///   reported to the store's ledger, or printed if there is none.
    @discardableResult
    public func register(_ tracker: any Trackable) -> RegistrationOutcome {
        let registration = Registration(tracker)
        let outcome: RegistrationOutcome = update { registry in
            guard registry[registration.type] == nil else { return (registry, .duplicate) }
            return (registry.adding(registration), .registered)
        }
        if outcome == .duplicate {
            duplicates.wrappingAdd(1, ordering: .relaxed)
            (ledger(in: shared.load()) ?? console).record(.duplicateRegistration(registration.type))
        }
        return outcome
    }

    /// Removes the tracker of a type.
    ///
    /// Calls in progress on other threads may still reach it.
    ///
    /// - Parameter type: The tracker's type.
    /// - Returns: Whether a tracker of the type was registered.
    @discardableResult
    public func unregister(_ type: TrackerType) -> Bool {
        update { registry in
            registry[type] == nil ? (registry, false) : (registry.removing(type), true)
        }
    }

    /// Whether a tracker of the type is registered, enabled or not.
    ///
    /// Takes constant time.
    ///
    /// - Parameter type: The tracker's type.
    /// - Returns: Whether the tracker is registered.
    public func contains(_ type: TrackerType) -> Bool {
        shared.load()[type] != nil
    }

    /// The number of calls and events that a tracker did not receive, by reason.
    public var skipCounts: [TrackerSkipReason: Int] { skipCounter.counts }

    /// The number of registrations that were rejected because the type was already registered.
    public var duplicateRegistrations: Int { duplicates.load(ordering: .relaxed) }

    /// The registry with the current selection.
    var registry: TrackerRegistry {
        let revision = config.revision
        let registry = shared.load()
        if let revision, registry.revision == revision { return registry }
        let selection = config.enabledTrackers
        if revision == nil, registry.selection == selection { return registry }
        return update { registry in
            // Another thread may have stored a newer selection in the meantime.
            let isCurrent =
                revision.map { $0 <= registry.revision ?? 0 && registry.revision != nil }
                ?? (registry.selection == selection)
            let current = isCurrent ? registry : registry.selecting(selection, revision: revision)
            return (current, current)
        }
    }

    /// Returns the table of a capability with the current selection.
    func table<Capability: Sendable>(of capability: Capability.Type) -> CapabilityTable<Capability> {
        if let table = registry.table(of: capability) { return table }
        return update { $0.resolving(capability) }
    }

    /// Counts calls or events that a tracker did not receive.
    func count(_ reason: TrackerSkipReason, _ count: Int = 1) {
        skipCounter.add(reason, count: count)
    }

    /// Counts an event that a vendor did not receive, and records it in the ledger.
    func count(_ reason: TrackerSkipReason, for type: TrackerType, in registry: TrackerRegistry) {
        skipCounter.add(reason)
        let ledger = ledger(in: registry)
        switch reason {
        case .notRegistered:
            ledger?.record(.notRegistered(type, registered: registry.registrations.map(\.type)))
        case .disabled: ledger?.record(.disabled(type))
        case .noCapability: ledger?.record(.withoutEvents(type))
        case .noConsent: ledger?.record(.withoutConsent(type))
        case .notAddressed: break
        }
    }

    /// Returns the store's ledger, or else the first registered tracker that is one.
    private func ledger(in registry: TrackerRegistry) -> (any LossLedger)? {
        ledger ?? registry.registrations.lazy.compactMap { $0.tracker as? any LossLedger }.first
    }

    /// Replaces the registry.
    ///
    /// The previous one is released after the locks.
    ///
    /// - Parameter body: Returns the new registry and a result, or the same registry for no change.
    /// - Returns: The result.
    private func update<Result: Sendable>(
        _ body: (TrackerRegistry) -> (TrackerRegistry, Result)
    ) -> Result {
        let (result, previous) = latest.withLock { latest in
            let previous = latest
            let (next, result) = body(previous)
            if next !== previous {
                latest = next
                shared.store(next)
            }
            return (result, previous)
        }
        return withExtendedLifetime(previous) { result }
    }
}

/// The result of a registration.
public enum RegistrationOutcome: Sendable, Equatable {
    /// The store contains the tracker.
    ///
    /// The next call reaches it.
    case registered
    /// A tracker of the same type was registered before.
    ///
    /// The new one was ignored.
    case duplicate
}

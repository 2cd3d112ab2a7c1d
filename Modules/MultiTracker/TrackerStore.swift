public import CoreTracker
import Locks

/// The registered trackers of an app, one for each type; the list itself is not visible outside.
///
/// All members may be called from any thread. A tracker's capabilities are resolved when it is registered (those that
/// are asked for later, at their first use) and never cast again; a call costs the same however many trackers are
/// registered that it does not reach. No code of a tracker or configuration runs while the store is locked.
public final class TrackerStore: Sendable {
    private let config: any TrackerConfigurable
    private let latest: Mutex<TrackerRegistry>
    private let shared: SharedReference<TrackerRegistry>
    private let refusalCounter = RefusalCounter()
    private let duplicates = Atomic<Int>(0)

    /// Creates an empty store.
    ///
    /// - Parameter config: Selects which of the registered trackers are called; by default, all of them.
    public init(config: any TrackerConfigurable = TrackerConfig()) {
        self.config = config
        let revision = config.revision
        let registry = TrackerRegistry(selection: config.enabledTrackers, revision: revision)
        latest = Mutex(registry)
        shared = SharedReference(registry)
    }

    /// Registers a tracker, unless its type is taken; a refusal is also counted in ``duplicateRegistrations``.
    @discardableResult
    public func register(_ tracker: any Trackable) -> RegistrationOutcome {
        let registration = Registration(tracker)
        let outcome: RegistrationOutcome = update { registry in
            guard registry[registration.type] == nil else { return (registry, .duplicate) }
            return (registry.adding(registration), .registered)
        }
        if outcome == .duplicate { duplicates.wrappingAdd(1, ordering: .relaxed) }
        return outcome
    }

    /// Removes the tracker of a type and answers whether there was one.
    ///
    /// Calls that are under way on other threads may still reach it.
    @discardableResult
    public func unregister(_ type: TrackerType) -> Bool {
        update { registry in
            registry[type] == nil ? (registry, false) : (registry.removing(type), true)
        }
    }

    /// Whether a tracker of the type is registered, enabled or not; in constant time.
    public func contains(_ type: TrackerType) -> Bool {
        shared.load()[type] != nil
    }

    /// How often a tracker did not get a call that was meant for it, by reason.
    public var refusals: [TrackerRefusal: Int] { refusalCounter.counts }

    /// How many registrations were refused because the type was taken.
    public var duplicateRegistrations: Int { duplicates.load(ordering: .relaxed) }

    /// The registry under the selection that is in force now.
    var registry: TrackerRegistry {
        let revision = config.revision
        let registry = shared.load()
        if let revision, registry.revision == revision { return registry }
        let selection = config.enabledTrackers
        if revision == nil, registry.selection == selection { return registry }
        return update { registry in
            let isCurrent = revision.map { registry.revision == $0 } ?? (registry.selection == selection)
            let current = isCurrent ? registry : registry.selecting(selection, revision: revision)
            return (current, current)
        }
    }

    /// The table of a capability under the selection that is in force now.
    func table<Capability: Sendable>(of capability: Capability.Type) -> CapabilityTable<Capability> {
        if let table = registry.table(of: capability) { return table }
        return update { $0.resolving(capability) }
    }

    /// Counts refusals.
    func count(_ refusal: TrackerRefusal, _ count: Int = 1) {
        refusalCounter.add(refusal, count: count)
    }

    /// Replaces the registry by what a body makes of it; the one from before is released after the locks.
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

public import CoreTracker
import Locks

/// The values of a product that change while the app runs, such as its storefront, and their default parameters.
///
/// A product's services share one instance and read the default parameters in each `track`. An event therefore has the
/// parameters of the moment at which it is tracked. The value can be changed from any thread.
public final class ProductSettings<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        /// The flags of the engine's user.
        var flags = FeatureFlags()
        var owner: FlagOwner?
        var exposures = FlagExposures()
    }

    private let parameters: CurrentDefaults
    /// The default parameters, with the flag parameters of the engine's user.
    private let flagged: CurrentDefaults
    /// Whether a flag was ever set.
    private let hasFlags = Atomic(false)
    private let current: Mutex<State>
    private let makeDefaults: @Sendable (Value) -> EventParameters

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - value: The first value.
    ///   - defaults: Returns the default parameters for a value. It is called once for each change.
    public init(_ value: Value, defaults: @escaping @Sendable (Value) -> EventParameters) {
        let made = defaults(value)
        (parameters, flagged) = (CurrentDefaults(made), CurrentDefaults(made))
        current = Mutex(State(value: value))
        makeDefaults = defaults
    }

    /// The current value.
    public var value: Value { current.withLock { $0.value } }

    /// The default parameters for the current value, followed by the parameters of the user's feature flags.
    public var defaults: EventParameters { defaults(under: []) }

    /// Returns the default parameters, overridden by narrower ones.
    ///
    /// The results for the last 16 arguments are cached. This makes the call cheap if the argument is a stored value, such as
    /// a feature's default parameters.
    ///
    /// - Parameter narrower: Default parameters that override the product's, such as a feature's.
    /// - Returns: The merged parameters.
    public func defaults(under narrower: EventParameters) -> EventParameters {
        hasFlags.load(ordering: .relaxed) ? flaggedDefaults(under: narrower) : parameters.under(narrower)
    }

    @inline(never)
    private func flaggedDefaults(under narrower: EventParameters) -> EventParameters {
        guard let flags = TrackingScope.current?.flags else {
            return flagged.underIfOwned(narrower) ?? parameters.under(narrower)
        }
        guard let own = flags[ObjectIdentifier(self)] else { return parameters.under(narrower) }
        return parameters.under([]).merging(own.parameters).merging(narrower)
    }

    /// Changes the value and its default parameters.
    ///
    /// Events tracked after the change have the new parameters. Concurrent changes are made one after the other.
    ///
    /// - Parameter change: Changes the value. It runs under a lock, and must not read ``value``.
    public func update(_ change: @Sendable (inout Value) -> Void) {
        current.withLock { current in
            change(&current.value)
            replace(by: makeDefaults(current.value), current)
        }
    }

    /// Sets or removes a feature flag of a scope, or else of the user of an engine.
    func setFlag(
        _ name: String,
        _ variant: String?,
        in scope: ScopeFlags?,
        or identity: CurrentIdentity
    ) throws(FlagError) {
        if let scope {
            try scope.set(name, variant, in: ObjectIdentifier(self))
        } else {
            try current.withLock { current throws(FlagError) in
                let owner = FlagOwner(identity)
                // The flags of another user do not apply to this one.
                var flags = current.owner == owner ? current.flags : FeatureFlags()
                guard try flags.set(name, variant) || current.owner != owner else { return }
                (current.flags, current.owner) = (flags, owner)
                replace(by: makeDefaults(current.value), current)
            }
        }
        hasFlags.store(true, ordering: .relaxed)
    }

    /// Records an exposure to a feature flag.
    ///
    /// Returns whether to track it.
    func isNewExposure(_ event: FlagExposed, of user: UserHash, in session: String) -> Bool {
        current.withLock { $0.exposures.insert(event, of: user, in: session) }
    }

    private func replace(by defaults: EventParameters, _ current: State) {
        parameters.replace(by: Merged(defaults))
        flagged.replace(by: Merged(defaults.merging(current.flags.parameters), of: current.owner))
    }
}

/// The user of an engine to whom feature flags belong.
private struct FlagOwner: Sendable, Equatable {
    private let identity: CurrentIdentity
    private let version: Int

    init(_ identity: CurrentIdentity) {
        (self.identity, version) = (identity, identity.userVersion)
    }

    /// Whether the engine still has this user.
    var isCurrent: Bool { identity.userVersion == version }

    static func == (left: FlagOwner, right: FlagOwner) -> Bool {
        left.identity === right.identity && left.version == right.version
    }
}

/// Default parameters that all threads read for each event and that rarely change.
///
/// There are three copies, and a reader takes the first free one. An interrupted reader therefore delays no other
/// thread.
private final class CurrentDefaults: Sendable {
    private let first: Mutex<Merged>
    private let second: Mutex<Merged>
    private let third: Mutex<Merged>

    init(_ defaults: EventParameters) {
        first = Mutex(Merged(defaults))
        second = Mutex(Merged(defaults))
        third = Mutex(Merged(defaults))
    }

    func under(_ narrower: EventParameters) -> EventParameters {
        read { $0.under(narrower) }
    }

    /// Returns the merged parameters if the flags among them belong to the current user.
    func underIfOwned(_ narrower: EventParameters) -> EventParameters? {
        read { $0.isOwned ? $0.under(narrower) : nil }
    }

    func replace(by defaults: Merged) {
        first.withLock { $0 = defaults }
        second.withLock { $0 = defaults }
        third.withLock { $0 = defaults }
    }

    private func read<Result: Sendable>(_ body: (inout Merged) -> Result) -> Result {
        first.withLockIfAvailable { body(&$0) } ?? second.withLockIfAvailable { body(&$0) }
            ?? third.withLock { body(&$0) }
    }
}

/// Default parameters, with a cache of the results for the most recent arguments.
private struct Merged {
    /// The number of cached results: more than an app has features on its screens at a time.
    private static let capacity = 16

    private let defaults: EventParameters
    /// The user to whom flags among the defaults belong.
    private let owner: FlagOwner?
    private var made: [(narrower: EventParameters, merged: EventParameters)] = []
    private var next = 0

    init(_ defaults: EventParameters, of owner: FlagOwner? = nil) {
        (self.defaults, self.owner) = (defaults, owner)
    }

    var isOwned: Bool { owner?.isCurrent ?? false }

    mutating func under(_ narrower: EventParameters) -> EventParameters {
        if narrower.isEmpty, !narrower.hasSensitive { return defaults }
        for known in made where known.narrower.isIdentical(to: narrower) { return known.merged }
        let merged = defaults.merging(narrower)
        if made.count < Merged.capacity {
            made.append((narrower, merged))
        } else {
            made[next] = (narrower, merged)
            next = (next + 1) % Merged.capacity
        }
        return merged
    }
}

public import CoreTracker
import Locks

/// The values of a product that change while the app runs, such as its storefront, and their default parameters.
///
/// A product's services share one instance and read the default parameters in each `track`. An event therefore has the
/// parameters of the moment at which it is tracked. The value can be changed from any thread.
public final class ProductSettings<Value: Sendable>: Sendable {
    private let parameters: CurrentDefaults
    private let current: Mutex<(value: Value, flags: FeatureFlags)>
    private let makeDefaults: @Sendable (Value) -> EventParameters

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - value: The first value.
    ///   - defaults: Returns the default parameters for a value. It is called once for each change.
    public init(_ value: Value, defaults: @escaping @Sendable (Value) -> EventParameters) {
        parameters = CurrentDefaults(defaults(value))
        current = Mutex((value, FeatureFlags()))
        makeDefaults = defaults
    }

    /// The current value.
    public var value: Value { current.withLock { $0.value } }

    /// The default parameters for the current value, followed by the parameters of the feature flags.
    public var defaults: EventParameters { parameters.under([]) }

    /// Returns the default parameters, overridden by those of a narrower scope.
    ///
    /// The results for the last 16 scopes are cached. This makes the call cheap if the scope is a stored value, such as
    /// that of a feature.
    ///
    /// - Parameter scope: The default parameters of the scope, such as those of a feature.
    /// - Returns: The merged parameters.
    public func defaults(under scope: EventParameters) -> EventParameters { parameters.under(scope) }

    /// Changes the value and its default parameters.
    ///
    /// Events that are tracked after the change have the new parameters. Concurrent changes are made one after the
    /// other.
    ///
    /// - Parameter change: Changes the value. It runs under a lock, and must not read ``value``.
    public func update(_ change: @Sendable (inout Value) -> Void) {
        current.withLock { current in
            change(&current.value)
            parameters.replace(by: makeDefaults(current.value).merging(current.flags.parameters))
        }
    }

    /// Changes the feature flags, and the default parameters if `change` returns `true`.
    func updateFlags<E: Error>(_ change: (inout FeatureFlags) throws(E) -> Bool) throws(E) {
        try current.withLock { current throws(E) in
            guard try change(&current.flags) else { return }
            parameters.replace(by: makeDefaults(current.value).merging(current.flags.parameters))
        }
    }

    /// Records an exposure to a feature flag.
    func recordExposure<Result>(_ body: (inout FeatureFlags) -> Result) -> Result {
        current.withLock { body(&$0.flags) }
    }
}

/// Default parameters that all threads read for each event and that rarely change.
///
/// There are three copies, and a reader takes the first that is free. A thread that the system interrupts while it
/// reads therefore delays no other thread.
private final class CurrentDefaults: Sendable {
    private let first: Mutex<Merged>
    private let second: Mutex<Merged>
    private let third: Mutex<Merged>

    init(_ defaults: EventParameters) {
        first = Mutex(Merged(defaults))
        second = Mutex(Merged(defaults))
        third = Mutex(Merged(defaults))
    }

    func under(_ scope: EventParameters) -> EventParameters {
        first.withLockIfAvailable { $0.under(scope) } ?? second.withLockIfAvailable { $0.under(scope) }
            ?? third.withLock { $0.under(scope) }
    }

    func replace(by defaults: EventParameters) {
        first.withLock { $0 = Merged(defaults) }
        second.withLock { $0 = Merged(defaults) }
        third.withLock { $0 = Merged(defaults) }
    }
}

/// Default parameters, with a cache of the results for the most recent scopes.
private struct Merged {
    /// The number of cached scopes: more than an app has features on its screens at a time.
    private static let capacity = 16

    private let defaults: EventParameters
    private var made: [(scope: EventParameters, merged: EventParameters)] = []
    private var next = 0

    init(_ defaults: EventParameters) {
        self.defaults = defaults
    }

    mutating func under(_ scope: EventParameters) -> EventParameters {
        if scope.isEmpty, !scope.hasSensitive { return defaults }
        for known in made where known.scope.isIdentical(to: scope) { return known.merged }
        let merged = defaults.merging(scope)
        if made.count < Merged.capacity {
            made.append((scope, merged))
        } else {
            made[next] = (scope, merged)
            next = (next + 1) % Merged.capacity
        }
        return merged
    }
}

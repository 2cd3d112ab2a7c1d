import Locks

/// The values of a product that change while the app runs, such as its storefront, and their default parameters.
///
/// A product's services share one instance and read the default parameters in each `track`. An event therefore has the
/// parameters of the moment at which it is tracked. The value can be changed from any thread.
public final class ProductSettings<Value: Sendable>: Sendable {
    private let parameters: CurrentDefaults
    private let current: Mutex<Value>
    private let makeDefaults: @Sendable (Value) -> EventParameters
    /// The parameters of an option.
    private let added = Mutex<(any AddedDefaults)?>(nil)
    /// Whether ``added`` is set, which is read without a lock.
    private let hasAdded = Atomic(false)

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - value: The first value.
    ///   - defaults: Returns the default parameters for a value. It is called once for each change.
    public init(_ value: Value, defaults: @escaping @Sendable (Value) -> EventParameters) {
        parameters = CurrentDefaults(defaults(value))
        current = Mutex(value)
        makeDefaults = defaults
    }

    /// The current value.
    public var value: Value { current.withLock { $0 } }

    /// The default parameters for the current value, followed by those of an option, such as feature flags.
    public var defaults: EventParameters { defaults(under: []) }

    /// Returns the default parameters, overridden by narrower ones.
    ///
    /// The results for the last 16 arguments are cached. This makes the call cheap if the argument is a stored value,
    /// such as a feature's default parameters.
    ///
    /// - Parameter narrower: Default parameters that override the product's, such as a feature's.
    /// - Returns: The merged parameters.
    public func defaults(under narrower: EventParameters) -> EventParameters {
        parameters.under(narrower, adding: hasAdded.load(ordering: .relaxed) ? addedParameters : nil)
    }

    @inline(never)
    private var addedParameters: EventParameters? { added.withLock { $0 }?.parameters }

    /// Changes the value and its default parameters.
    ///
    /// Events tracked after the change have the new parameters. Concurrent changes are made one after the other.
    ///
    /// - Parameter change: Changes the value. It runs under a lock, and must not read ``value``.
    public func update(_ change: @Sendable (inout Value) -> Void) {
        current.withLock { value in
            change(&value)
            parameters.replace(by: makeDefaults(value))
        }
    }

    /// Returns the parameters that an option adds, which it creates at its first call.
    package func addedDefaults<Added: AddedDefaults>(_ make: () -> Added) -> Added {
        added.withLock { added in
            if let added = added as? Added { return added }
            let made = make()
            added = made
            hasAdded.store(true, ordering: .relaxed)
            return made
        }
    }
}

/// Parameters that an option adds to the default parameters of a product.
package protocol AddedDefaults: AnyObject, Sendable {
    /// The parameters for the current scope or user, which override the product's defaults, or `nil` for none.
    ///
    /// They are read by each call of `track`, on any thread.
    var parameters: EventParameters? { get }
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

    func under(_ narrower: EventParameters, adding added: EventParameters?) -> EventParameters {
        read { $0.under(narrower, adding: added) }
    }

    func replace(by defaults: EventParameters) {
        let merged = Merged(defaults)
        first.withLock { $0 = merged }
        second.withLock { $0 = merged }
        third.withLock { $0 = merged }
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

    /// A cached result, with its arguments.
    private struct Made {
        let narrower: EventParameters
        let added: EventParameters?
        let merged: EventParameters

        func isFor(_ narrower: EventParameters, _ added: EventParameters?) -> Bool {
            guard self.narrower.isIdentical(to: narrower) else { return false }
            guard let added, let own = self.added else { return (added == nil) == (self.added == nil) }
            return own.isIdentical(to: added)
        }
    }

    private let defaults: EventParameters
    private var made: [Made] = []
    private var next = 0

    init(_ defaults: EventParameters) {
        self.defaults = defaults
    }

    mutating func under(_ narrower: EventParameters, adding added: EventParameters?) -> EventParameters {
        if added == nil, narrower.isNothing { return defaults }
        for known in made where known.isFor(narrower, added) { return known.merged }
        let merged = (added.map { defaults.merging($0) } ?? defaults).merging(narrower)
        let result = Made(narrower: narrower, added: added, merged: merged)
        if made.count < Merged.capacity {
            made.append(result)
        } else {
            made[next] = result
            next = (next + 1) % Merged.capacity
        }
        return merged
    }
}

public import CoreTracker
import Locks

/// What an app says of itself while it runs, such as its storefront, and the default parameters that follow from it.
///
/// A product has one value of it, which its services read inside each `track`, so that an event carries what was true
/// at its moment. Changes come from any thread; an event that is tracked after a change has the new parameters.
public final class ProductSettings<Value: Sendable>: Sendable {
    private let parameters: CurrentDefaults
    private let current: Mutex<Value>
    private let makeDefaults: @Sendable (Value) -> EventParameters

    /// Creates settings; `defaults` returns the parameters that follow from a value, and is called once a change.
    public init(_ value: Value, defaults: @escaping @Sendable (Value) -> EventParameters) {
        parameters = CurrentDefaults(defaults(value))
        current = Mutex(value)
        makeDefaults = defaults
    }

    /// What the app has said last.
    public var value: Value { current.withLock { $0 } }

    /// The default parameters that follow from it.
    public var defaults: EventParameters { parameters.under([]) }

    /// The default parameters overlaid by those of a narrower scope.
    ///
    /// What was made for a scope is remembered, so that it costs little where the scope is one stored value, as that of
    /// a feature is.
    public func defaults(under scope: EventParameters) -> EventParameters { parameters.under(scope) }

    /// Changes what the app says; changes of several threads are made one after the other.
    public func update(_ change: @Sendable (inout Value) -> Void) {
        current.withLock { value in
            change(&value)
            parameters.replace(by: makeDefaults(value))
        }
    }
}

/// Default parameters that all threads read at each event and that change seldom.
///
/// They are kept several times, so that a reader takes the first that is free: a thread that the system interrupts
/// while it reads keeps no other one waiting.
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

/// Default parameters, and what was made of them for the scopes that have asked last.
private struct Merged {
    /// As many scopes as an app has features on its screens at a time, and some more.
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

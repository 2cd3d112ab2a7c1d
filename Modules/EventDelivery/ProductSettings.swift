public import CoreTracker
import Synchronization

/// What an app says of itself while it runs, such as its storefront, and the default parameters that follow from it.
///
/// A product has one value of it, which its services read inside each `track`, so that an event carries what was true
/// at its moment. Changes come from any thread; an event that is tracked after a change has the new parameters.
public final class ProductSettings<Value: Sendable>: Sendable {
    // Beside the value, which is of any size, so that reading them costs a lock and a reference.
    private let parameters: Mutex<EventParameters>
    private let current: Mutex<Value>
    private let makeDefaults: @Sendable (Value) -> EventParameters

    /// Creates settings; `defaults` returns the parameters that follow from a value, and is called once a change.
    public init(_ value: Value, defaults: @escaping @Sendable (Value) -> EventParameters) {
        parameters = Mutex(defaults(value))
        current = Mutex(value)
        makeDefaults = defaults
    }

    /// What the app has said last.
    public var value: Value { current.withLock { $0 } }

    /// The default parameters that follow from it.
    public var defaults: EventParameters { parameters.withLock { $0 } }

    /// Changes what the app says; changes of several threads are made one after the other.
    public func update(_ change: @Sendable (inout Value) -> Void) {
        current.withLock { value in
            change(&value)
            let defaults = makeDefaults(value)
            parameters.withLock { $0 = defaults }
        }
    }
}

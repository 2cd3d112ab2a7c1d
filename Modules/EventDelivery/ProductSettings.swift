public import CoreTracker
import Synchronization

/// What an app says of itself while it runs, such as its storefront, and the default parameters that follow from it.
///
/// A product has one value of it, which its services read inside each `track`, so that an event carries what was true
/// at its moment. Changes come from any thread; an event that is tracked after a change has the new parameters.
public final class ProductSettings<Value: Sendable>: Sendable {
    private let parameters: EventDefaults
    private let current: Mutex<Value>
    private let makeDefaults: @Sendable (Value) -> EventParameters

    /// Creates settings; `defaults` returns the parameters that follow from a value, and is called once a change.
    public init(_ value: Value, defaults: @escaping @Sendable (Value) -> EventParameters) {
        parameters = EventDefaults(defaults(value))
        current = Mutex(value)
        makeDefaults = defaults
    }

    /// What the app has said last.
    public var value: Value { current.withLock { $0 } }

    /// The default parameters that follow from it.
    public var defaults: EventParameters { parameters.value }

    /// Changes what the app says; changes of several threads are made one after the other.
    public func update(_ change: @Sendable (inout Value) -> Void) {
        current.withLock { value in
            change(&value)
            parameters.value = makeDefaults(value)
        }
    }
}

/// Parameters that all threads read at each event and that change seldom.
///
/// They are kept several times, so that a reader takes the first that is free: a thread that the system interrupts while
/// it reads keeps no other one waiting.
private final class EventDefaults: Sendable {
    private let first: Mutex<EventParameters>
    private let second: Mutex<EventParameters>
    private let third: Mutex<EventParameters>

    init(_ value: EventParameters) {
        first = Mutex(value)
        second = Mutex(value)
        third = Mutex(value)
    }

    var value: EventParameters {
        get {
            first.withLockIfAvailable { $0 } ?? second.withLockIfAvailable { $0 } ?? third.withLock { $0 }
        }
        set {
            first.withLock { $0 = newValue }
            second.withLock { $0 = newValue }
            third.withLock { $0 = newValue }
        }
    }
}

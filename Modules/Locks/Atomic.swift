public import CLocks

/// A value that any number of threads read and write without a lock.
///
/// The calls and the orders are those of the standard library's `Atomic`, which on Apple's platforms exists only since
/// iOS 18. The value lies in a word of its own on the heap, and each operation is one instruction or a short loop.
@safe
public struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let word: UnsafeMutablePointer<UInt64>

    /// Creates an atomic value.
    public init(_ initialValue: Value) {
        unsafe word = .allocate(capacity: 1)
        unsafe word.initialize(to: initialValue.atomicWord)
    }

    deinit {
        unsafe word.deallocate()
    }

    /// Reads the value.
    @inlinable
    public func load(ordering: AtomicLoadOrdering) -> Value {
        Value(atomicWord: unsafe clocks_load(word, ordering.order))
    }

    /// Writes a value.
    @inlinable
    public func store(_ value: Value, ordering: AtomicStoreOrdering) {
        unsafe clocks_store(word, value.atomicWord, ordering.order)
    }

    /// Writes a value and returns the one before.
    @inlinable
    public func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        Value(atomicWord: unsafe clocks_exchange(word, value.atomicWord, ordering.order))
    }

    /// Writes a value where another is found, and returns whether it did and what was found.
    @inlinable
    public func compareExchange(
        expected: Value,
        desired: Value,
        ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        exchange(expected, desired, isWeak: false, ordering)
    }

    /// As `compareExchange`, and may fail without a cause: for a loop, which on some processors it makes shorter.
    @inlinable
    public func weakCompareExchange(
        expected: Value,
        desired: Value,
        ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        exchange(expected, desired, isWeak: true, ordering)
    }

    @inlinable
    func exchange(
        _ expected: Value,
        _ desired: Value,
        isWeak: Bool,
        _ ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        var found = expected.atomicWord
        let isDone = unsafe clocks_compare_exchange(word, &found, desired.atomicWord, isWeak, ordering.order)
        return (isDone, Value(atomicWord: found))
    }
}

extension Atomic where Value: FixedWidthInteger {
    /// Adds with wrap-around and returns the values before and after.
    @inlinable @discardableResult
    public func wrappingAdd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        let before = Value(atomicWord: unsafe clocks_add(word, operand.atomicWord, ordering.order))
        return (before, before &+ operand)
    }

    /// Subtracts with wrap-around and returns the values before and after.
    @inlinable @discardableResult
    public func wrappingSubtract(
        _ operand: Value,
        ordering: AtomicUpdateOrdering
    ) -> (oldValue: Value, newValue: Value) {
        wrappingAdd(0 &- operand, ordering: ordering)
    }

    /// Writes the lesser of the value and the operand.
    @inlinable
    public func min(_ operand: Value, ordering: AtomicUpdateOrdering) {
        var value = load(ordering: .relaxed)
        while true {
            let change = weakCompareExchange(expected: value, desired: Swift.min(value, operand), ordering: ordering)
            if change.exchanged { return }
            value = change.original
        }
    }

    /// Writes the greater of the value and the operand.
    @inlinable
    public func max(_ operand: Value, ordering: AtomicUpdateOrdering) {
        var value = load(ordering: .relaxed)
        while true {
            let change = weakCompareExchange(expected: value, desired: Swift.max(value, operand), ordering: ordering)
            if change.exchanged { return }
            value = change.original
        }
    }
}

/// An object that is made at its first use and then stays: the first one that a thread stores is everybody's.
public struct AtomicLazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    @usableFromInline let address = Atomic<UInt>(0)

    /// Creates an empty reference.
    public init() {}

    deinit {
        if let instance = unsafe AtomicLazyReference.unmanaged(address.load(ordering: .acquiring)) {
            unsafe instance.release()
        }
    }

    /// The object, or `nil` before the first one is stored.
    @inlinable
    public func load() -> Instance? {
        unsafe AtomicLazyReference.unmanaged(address.load(ordering: .acquiring))?.takeUnretainedValue()
    }

    /// Stores the first object, and returns the one that is stored: this one or an earlier one.
    @inlinable
    public func storeIfNil(_ instance: Instance) -> Instance {
        let new = unsafe Unmanaged.passRetained(instance)
        let (isFirst, found) = unsafe address.compareExchange(
            expected: 0,
            desired: UInt(bitPattern: new.toOpaque()),
            ordering: .acquiringAndReleasing
        )
        guard !isFirst, let first = unsafe AtomicLazyReference.unmanaged(found) else { return instance }
        unsafe new.release()
        return unsafe first.takeUnretainedValue()
    }

    @inlinable
    static func unmanaged(_ address: UInt) -> Unmanaged<Instance>? {
        unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
    }
}

public import CLocks

/// A value shared by any number of threads without a lock.
///
/// ```swift
/// let count = Atomic(0)
/// count.wrappingAdd(1, ordering: .relaxed)
/// ```
///
/// The API matches the standard library's `Atomic`, which is available on Apple's platforms from iOS 18. The value is
/// stored in a separate allocation of 8 bytes. Each operation is one instruction or a short loop.
@safe
public struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let word: UnsafeMutablePointer<UInt64>

    /// Creates an atomic value.
    ///
    /// - Parameter initialValue: The initial value.
    public init(_ initialValue: Value) {
        unsafe word = .allocate(capacity: 1)
        unsafe word.initialize(to: initialValue.atomicWord)
    }

    deinit {
        unsafe word.deallocate()
    }

    /// Returns the value.
    ///
    /// - Parameter ordering: The memory ordering of the operation.
    /// - Returns: The value.
    @inlinable
    public func load(ordering: AtomicLoadOrdering) -> Value {
        Value(atomicWord: unsafe clocks_load(word, ordering.order))
    }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - ordering: The memory ordering of the operation.
    @inlinable
    public func store(_ value: Value, ordering: AtomicStoreOrdering) {
        unsafe clocks_store(word, value.atomicWord, ordering.order)
    }

    /// Writes a value and returns the previous one.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - ordering: The memory ordering of the operation.
    /// - Returns: The previous value.
    @inlinable
    public func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        Value(atomicWord: unsafe clocks_exchange(word, value.atomicWord, ordering.order))
    }

    /// Writes a value if the current value is an expected one.
    ///
    /// - Parameters:
    ///   - expected: The expected current value.
    ///   - desired: The new value.
    ///   - ordering: The memory ordering of the operation.
    /// - Returns: Whether the new value was written, and the value before the operation.
    @inlinable
    public func compareExchange(
        expected: Value,
        desired: Value,
        ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        exchange(expected, desired, isWeak: false, ordering)
    }

    /// Writes a value if the current value is an expected one, and may fail spuriously.
    ///
    /// Use it in a loop. On some processors it is cheaper than `compareExchange`.
    ///
    /// - Parameters:
    ///   - expected: The expected current value.
    ///   - desired: The new value.
    ///   - ordering: The memory ordering of the operation.
    /// - Returns: Whether the new value was written, and the value before the operation.
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
    /// Adds a number with wraparound.
    ///
    /// - Parameters:
    ///   - operand: The number to add.
    ///   - ordering: The memory ordering of the operation.
    /// - Returns: The values before and after the operation.
    @inlinable @discardableResult
    public func wrappingAdd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        // Adding the 64-bit words of narrow integers would carry into the unused bits.
        guard Value.bitWidth == UInt64.bitWidth else { return update(ordering) { $0 &+ operand } }
        let before = Value(atomicWord: unsafe clocks_add(word, operand.atomicWord, ordering.order))
        return (before, before &+ operand)
    }

    /// Subtracts a number with wraparound.
    ///
    /// - Parameters:
    ///   - operand: The number to subtract.
    ///   - ordering: The memory ordering of the operation.
    /// - Returns: The values before and after the operation.
    @inlinable @discardableResult
    public func wrappingSubtract(
        _ operand: Value,
        ordering: AtomicUpdateOrdering
    ) -> (oldValue: Value, newValue: Value) {
        wrappingAdd(0 &- operand, ordering: ordering)
    }

    /// Writes the lesser of the current value and the operand.
    ///
    /// - Parameters:
    ///   - operand: The number to compare with.
    ///   - ordering: The memory ordering of the operation.
    @inlinable
    public func min(_ operand: Value, ordering: AtomicUpdateOrdering) {
        _ = update(ordering) { Swift.min($0, operand) }
    }

    /// Writes the greater of the current value and the operand.
    ///
    /// - Parameters:
    ///   - operand: The number to compare with.
    ///   - ordering: The memory ordering of the operation.
    @inlinable
    public func max(_ operand: Value, ordering: AtomicUpdateOrdering) {
        _ = update(ordering) { Swift.max($0, operand) }
    }

    /// Replaces the value by the result of a closure, which is called again if another thread changes the value.
    @inlinable
    func update(_ ordering: AtomicUpdateOrdering, _ body: (Value) -> Value) -> (oldValue: Value, newValue: Value) {
        var value = load(ordering: .relaxed)
        while true {
            let next = body(value)
            let change = weakCompareExchange(expected: value, desired: next, ordering: ordering)
            if change.exchanged { return (value, next) }
            value = change.original
        }
    }
}

/// A write-once reference to an object.
///
/// If several threads store an object, the first one is kept.
public struct AtomicLazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    @usableFromInline let address = Atomic<UInt>(0)

    /// Creates an empty reference.
    public init() {}

    deinit {
        if let instance = unsafe AtomicLazyReference.unmanaged(address.load(ordering: .acquiring)) {
            unsafe instance.release()
        }
    }

    /// Returns the object, or `nil` if none has been stored.
    ///
    /// - Returns: The object, or `nil`.
    @inlinable
    public func load() -> Instance? {
        unsafe AtomicLazyReference.unmanaged(address.load(ordering: .acquiring))?.takeUnretainedValue()
    }

    /// Stores an object, unless there is one.
    ///
    /// - Parameter instance: The object to store.
    /// - Returns: The stored object, which is either this one or an earlier one.
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

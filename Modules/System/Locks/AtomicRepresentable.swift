/// A type whose values an ``Atomic`` can store in 64 bits.
public protocol AtomicRepresentable: Sendable {
    /// Creates a value from its 64-bit representation.
    ///
    /// - Parameter atomicWord: The representation, which this type has created.
    init(atomicWord: UInt64)
    /// The value in 64 bits.
    ///
    /// Equal values have equal representations.
    var atomicWord: UInt64 { get }
}

extension AtomicRepresentable where Self: FixedWidthInteger {
    @inlinable
    public init(atomicWord: UInt64) {
        self.init(truncatingIfNeeded: atomicWord)
    }

    @inlinable public var atomicWord: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension Int: AtomicRepresentable {}
extension Int32: AtomicRepresentable {}
extension Int64: AtomicRepresentable {}
extension UInt: AtomicRepresentable {}
extension UInt8: AtomicRepresentable {}
extension UInt64: AtomicRepresentable {}

extension Bool: AtomicRepresentable {
    @inlinable
    public init(atomicWord: UInt64) {
        self = atomicWord != 0
    }

    @inlinable public var atomicWord: UInt64 { self ? 1 : 0 }
}

// The orderings of the C11 memory model, with the names of the standard library and the numbers of the compiler.

/// A memory ordering of a load.
public struct AtomicLoadOrdering: Sendable {
    @usableFromInline let order: Int32

    @inlinable
    init(_ order: Int32) {
        self.order = order
    }

    /// No ordering.
    @inlinable public static var relaxed: Self { Self(0) }
    /// Later operations of this thread see all writes before the releasing store that wrote the loaded value.
    @inlinable public static var acquiring: Self { Self(2) }
    /// An acquiring load in one total order with all sequentially consistent operations.
    @inlinable public static var sequentiallyConsistent: Self { Self(5) }
}

/// A memory ordering of a store.
public struct AtomicStoreOrdering: Sendable {
    @usableFromInline let order: Int32

    @inlinable
    init(_ order: Int32) {
        self.order = order
    }

    /// No ordering.
    @inlinable public static var relaxed: Self { Self(0) }
    /// A thread that acquires the stored value sees all writes before the store.
    @inlinable public static var releasing: Self { Self(3) }
    /// A releasing store in one total order with all sequentially consistent operations.
    @inlinable public static var sequentiallyConsistent: Self { Self(5) }
}

/// A memory ordering of an operation that reads and writes.
public struct AtomicUpdateOrdering: Sendable {
    @usableFromInline let order: Int32

    @inlinable
    init(_ order: Int32) {
        self.order = order
    }

    /// No ordering.
    @inlinable public static var relaxed: Self { Self(0) }
    /// The ordering of an acquiring load.
    @inlinable public static var acquiring: Self { Self(2) }
    /// The ordering of a releasing store.
    @inlinable public static var releasing: Self { Self(3) }
    /// The orderings of an acquiring load and a releasing store.
    @inlinable public static var acquiringAndReleasing: Self { Self(4) }
    /// Both orderings, in one total order with all sequentially consistent operations.
    @inlinable public static var sequentiallyConsistent: Self { Self(5) }
}

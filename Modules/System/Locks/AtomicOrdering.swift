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

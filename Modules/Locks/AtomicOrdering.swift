// The orders of the C11 memory model, with the names of the standard library and the numbers of the compiler.

/// What a load orders: later reads and writes of its thread, or nothing.
public struct AtomicLoadOrdering: Sendable {
    @usableFromInline let order: Int32

    @inlinable
    init(_ order: Int32) {
        self.order = order
    }

    /// Orders nothing.
    @inlinable public static var relaxed: Self { Self(0) }
    /// What comes after it sees what was written before the store that it has read.
    @inlinable public static var acquiring: Self { Self(2) }
    /// As `acquiring`, and in one order with all others of this kind.
    @inlinable public static var sequentiallyConsistent: Self { Self(5) }
}

/// What a store orders: earlier reads and writes of its thread, or nothing.
public struct AtomicStoreOrdering: Sendable {
    @usableFromInline let order: Int32

    @inlinable
    init(_ order: Int32) {
        self.order = order
    }

    /// Orders nothing.
    @inlinable public static var relaxed: Self { Self(0) }
    /// Whoever acquires its value sees what was written before it.
    @inlinable public static var releasing: Self { Self(3) }
    /// As `releasing`, and in one order with all others of this kind.
    @inlinable public static var sequentiallyConsistent: Self { Self(5) }
}

/// What an operation orders that reads and writes.
public struct AtomicUpdateOrdering: Sendable {
    @usableFromInline let order: Int32

    @inlinable
    init(_ order: Int32) {
        self.order = order
    }

    /// Orders nothing.
    @inlinable public static var relaxed: Self { Self(0) }
    /// Orders as an acquiring load.
    @inlinable public static var acquiring: Self { Self(2) }
    /// Orders as a releasing store.
    @inlinable public static var releasing: Self { Self(3) }
    /// Orders as both.
    @inlinable public static var acquiringAndReleasing: Self { Self(4) }
    /// As `acquiringAndReleasing`, and in one order with all others of this kind.
    @inlinable public static var sequentiallyConsistent: Self { Self(5) }
}

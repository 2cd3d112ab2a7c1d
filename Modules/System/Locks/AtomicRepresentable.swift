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

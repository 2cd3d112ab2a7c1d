/// A type whose values fit into the word of an `Atomic`.
public protocol AtomicRepresentable: Sendable {
    /// The value of a word that this type has made.
    init(atomicWord: UInt64)
    /// The value as a word; equal values are equal words.
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

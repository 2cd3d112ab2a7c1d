extension UnsafeMutablePointer<UInt8> {
    /// Writes a byte and moves on.
    @inlinable
    @inline(__always)
    package mutating func put(_ byte: UInt8) {
        pointee = byte
        self += 1
    }

    /// Writes text of the program's own source and moves on.
    @inlinable
    @inline(__always)
    package mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { put($0) }
    }

    /// Writes bytes and moves on.
    @inlinable
    @inline(__always)
    package mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        update(from: source, count: bytes.count)
        self += bytes.count
    }
}

import CZlib

/// The CRC-32 of zlib, over bytes and integers.
package struct Checksum {
    /// The checksum of all that was added.
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func add(_ bytes: some Collection<UInt8>) {
        let partial = bytes.withContiguousStorageIfAvailable { buffer in
            UInt32(truncatingIfNeeded: crc32(uLong(value), buffer.baseAddress, uInt(buffer.count)))
        }
        if let partial {
            if !bytes.isEmpty { value = partial }
        } else {
            add(Array(bytes))
        }
    }

    package mutating func add(_ integer: Int64) {
        withUnsafeBytes(of: integer.littleEndian) { add(raw: $0) }
    }

    package mutating func add(_ id: EventID) {
        withUnsafeBytes(of: (id.high.littleEndian, id.low.littleEndian)) { add(raw: $0) }
    }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add($0) }
    }

    private mutating func add(raw: UnsafeRawBufferPointer) {
        let bytes = raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
        value = UInt32(truncatingIfNeeded: crc32(uLong(value), bytes, uInt(raw.count)))
    }
}

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

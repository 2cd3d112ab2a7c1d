import CZlib
package import EventBuffer

/// A CRC-32 as in zlib, over bytes and integers.
package struct Checksum {
    /// The checksum of all added bytes.
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

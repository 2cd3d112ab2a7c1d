import CChecksum

/// A CRC-32C (Castagnoli) of bytes, integers and texts.
///
/// The processor computes it with one instruction for eight bytes. A processor without the instruction uses a table.
package struct Checksum: Sendable {
    /// The checksum of all added bytes.
    package private(set) var value: UInt32 = 0

    private static let isComputedByProcessor = cchecksum_is_supported()
    /// The checksums of single bytes, for the reversed polynomial.
    private static let table: [UInt32] = (0..<256).map { (byte: UInt32) in
        var sum = byte
        for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 0 ? 0 : 0x82F6_3B78) }
        return sum
    }

    package init() {}

    /// Creates the checksum of bytes.
    init(of bytes: some Collection<UInt8>) { add(bytes) }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        value =
            Checksum.isComputedByProcessor
            ? cchecksum_add(value, bytes.baseAddress, bytes.count) : Checksum.byTable(value, bytes)
    }

    package mutating func add(_ bytes: some Collection<UInt8>) {
        let sum = bytes.withContiguousStorageIfAvailable { buffer in
            var sum = self
            sum.add(UnsafeRawBufferPointer(buffer))
            return sum
        }
        if let sum { self = sum } else { add(Array(bytes)) }
    }

    package mutating func add(_ integer: Int64) {
        withUnsafeBytes(of: integer.littleEndian) { add($0) }
    }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the checksum of bytes that follow others with a given checksum, without the processor's instruction.
    static func byTable(_ value: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        ~bytes.reduce(~value) { sum, byte in (sum >> 8) ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    }
}

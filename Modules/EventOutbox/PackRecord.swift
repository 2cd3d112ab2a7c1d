/// One stored event inside a pack: length (4 bytes), CRC-32 (4), event id (16), fragment; integers little-endian.
///
/// The checksum covers the lane's number, the batch key, the id and the fragment, so a record that strayed to another
/// lane or user is noticed as well as a damaged one.
package struct PackRecord: Sendable, Equatable {
    /// The bytes of a record beyond its fragment.
    package static let overhead = 24

    package let id: EventID
    package let fragment: ArraySlice<UInt8>

    package init(id: EventID, fragment: ArraySlice<UInt8>) {
        self.id = id
        self.fragment = fragment
    }

    /// The checksum that all records of a lane and key start from.
    package static func seed(lane: Int, key: String) -> Checksum {
        var checksum = Checksum()
        checksum.add(Int64(lane))
        checksum.add(key)
        return checksum
    }

    /// Appends a record to a pack's bytes.
    package static func append(
        id: EventID,
        fragment: some Collection<UInt8>,
        seed: Checksum,
        to bytes: inout [UInt8]
    ) {
        let length = UInt32(truncatingIfNeeded: 16 + fragment.count)
        let sum = checksum(id: id, fragment: fragment, seed: seed)
        let head = (length.littleEndian, sum.littleEndian, id.high.littleEndian, id.low.littleEndian)
        withUnsafeBytes(of: head) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: fragment)
    }

    /// Reads the records of a pack; damaged ones are left out, so fewer than the pack's count may come back.
    ///
    /// Behind damage it looks for the next sound record at every byte, so that a damaged length costs its record alone.
    /// The search ends after more bytes than a pack is made of, and where too many look like the beginning of a record.
    package static func read(_ bytes: [UInt8], seed: Checksum) -> [PackRecord] {
        var records: [PackRecord] = []
        var offset = 0
        var (skipped, summed) = (0, 0)
        while offset + overhead <= bytes.count, skipped <= mostSkipped, summed <= bytes.count.saturatingMultiply(16) {
            if let length = length(in: bytes, at: offset) {
                summed += length
                if let record = record(in: bytes, at: offset, length: length, seed: seed) {
                    records.append(record)
                    offset = record.fragment.endIndex
                    continue
                }
            }
            offset += 1
            skipped += 1
        }
        return records
    }

    /// The most bytes that are searched for records; a pack is written with 64 KB and one event more at most.
    private static let mostSkipped = 1_048_576

    /// The length that a record at an offset says it has; `nil` where it cannot have it.
    private static func length(in bytes: [UInt8], at offset: Int) -> Int? {
        guard let length = Int(exactly: integer(in: bytes, at: offset, as: UInt32.self)), length >= 16,
            length <= bytes.count - offset - 8
        else { return nil }
        return length
    }

    private static func record(in bytes: [UInt8], at offset: Int, length: Int, seed: Checksum) -> PackRecord? {
        let id = EventID(
            high: integer(in: bytes, at: offset + 8, as: UInt64.self),
            low: integer(in: bytes, at: offset + 16, as: UInt64.self)
        )
        let fragment = bytes[(offset + overhead)..<(offset + 8 + length)]
        let sum = checksum(id: id, fragment: fragment, seed: seed)
        guard sum == integer(in: bytes, at: offset + 4, as: UInt32.self) else { return nil }
        return PackRecord(id: id, fragment: fragment)
    }

    private static func checksum(id: EventID, fragment: some Collection<UInt8>, seed: Checksum) -> UInt32 {
        var checksum = seed
        checksum.add(id)
        checksum.add(fragment)
        return checksum.value
    }

    private static func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        in bytes: [UInt8],
        at offset: Int,
        as: Value.Type
    ) -> Value {
        Value(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) })
    }
}

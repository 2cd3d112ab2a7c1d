package import EventTracking

/// A stored event in a segment: length (4 bytes), CRC-32C (4 bytes), event id (16 bytes), fragment.
///
/// Integers are little-endian. The checksum covers the lane number, the batch key, the id and the fragment. It
/// therefore also detects a record moved to another lane or user.
package struct SegmentRecord: Sendable, Equatable {
    /// The number of bytes of a record in addition to its fragment.
    package static let overhead = 24

    package let id: EventID
    package let fragment: ArraySlice<UInt8>

    package init(id: EventID, fragment: ArraySlice<UInt8>) {
        self.id = id
        self.fragment = fragment
    }

    /// Returns the initial value for the checksums of the records of a lane and batch key.
    package static func seed(lane: Int, key: String) -> Checksum {
        var checksum = Checksum()
        checksum.add(Int64(lane))
        checksum.add(key)
        return checksum
    }

    /// Appends a record to a segment's bytes.
    package static func append(
        id: EventID,
        fragment: some Collection<UInt8>,
        seed: Checksum,
        to bytes: inout [UInt8]
    ) {
        let start = bytes.count
        let length = UInt32(truncatingIfNeeded: 16 + fragment.count)
        let head = (length.littleEndian, UInt32(0), id.high.littleEndian, id.low.littleEndian)
        withUnsafeBytes(of: head) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: fragment)
        bytes.withUnsafeMutableBytes { bytes in
            var checksum = seed
            checksum.add(UnsafeRawBufferPointer(rebasing: bytes[(start + 8)...]))
            bytes.storeBytes(of: checksum.value.littleEndian, toByteOffset: start + 4, as: UInt32.self)
        }
    }

    /// Reads the valid records of a segment.
    ///
    /// After a damaged record, it searches for the next valid one at every byte. So a damaged length loses only its own
    /// record. The search ends after more bytes than a segment can have, or if too many positions look like the
    /// beginning of a record.
    ///
    /// - Parameters:
    ///   - bytes: The segment's bytes.
    ///   - seed: The initial value for the checksums.
    /// - Returns: The valid records, which may be fewer than the segment's count.
    package static func read(_ bytes: [UInt8], seed: Checksum) -> [SegmentRecord] {
        var records: [SegmentRecord] = []
        var offset = 0
        var (skipped, summed) = (0, 0)
        while offset + overhead <= bytes.count, skipped <= maximumSkipped, summed <= bytes.count.saturatingMultiply(16)
        {
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

    /// The maximum number of bytes searched for records.
    ///
    /// A segment has at most 64 KB and one more event.
    private static let maximumSkipped = 1_048_576

    /// Returns the length field of the record at an offset, or `nil` if the length is impossible.
    private static func length(in bytes: [UInt8], at offset: Int) -> Int? {
        guard let length = Int(exactly: integer(in: bytes, at: offset, as: UInt32.self)), length >= 16,
            length <= bytes.count - offset - 8
        else { return nil }
        return length
    }

    private static func record(in bytes: [UInt8], at offset: Int, length: Int, seed: Checksum) -> SegmentRecord? {
        let end = offset + 8 + length
        var checksum = seed
        bytes.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[(offset + 8)..<end])) }
        guard checksum.value == integer(in: bytes, at: offset + 4, as: UInt32.self) else { return nil }
        let id = EventID(
            high: integer(in: bytes, at: offset + 8, as: UInt64.self),
            low: integer(in: bytes, at: offset + 16, as: UInt64.self)
        )
        return SegmentRecord(id: id, fragment: bytes[(offset + overhead)..<end])
    }

    private static func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        in bytes: [UInt8],
        at offset: Int,
        as: Value.Type
    ) -> Value {
        Value(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) })
    }
}

package import CoreTracker
package import EventBuffer

/// A segment: consecutive events of one lane, batch key, user and priority, encoded back to back.
///
/// It is the unit of storage and leasing. One row holds many events, so storing an event costs little more than
/// appending its bytes. Each record has its own checksum, so damage to a record loses only that record.
package struct Segment: Sendable, Equatable {
    /// The maximum number of bytes in a batch key.
    ///
    /// With the user's hash, it still fits into its column.
    package static let maximumKeyBytes = SQLiteText.longest / 2

    /// The segment's place: the lane number in the upper bits, and the sequence number of its first event in the lower
    /// bits.
    package var place: SegmentPlace
    /// The priority of all its events.
    package var priority: TrackOptions.Priority
    /// The batch key of all its events.
    package var key: String
    /// The user of all its events, or `nil` if it is unknown because of damage.
    package var user: UserHash?
    /// The decision number of the last decision or erasure before its events were tracked.
    package var decision: UInt64
    /// The time at which its first event was stored.
    package var stored: StoredMoment
    /// The number of its records.
    package var count: Int
    /// The records in the format of ``SegmentRecord``.
    package var records: [UInt8]

    package init(
        place: SegmentPlace,
        priority: TrackOptions.Priority,
        key: String,
        user: UserHash? = .nobody,
        decision: UInt64 = 0,
        stored: StoredMoment,
        count: Int = 0,
        records: [UInt8] = []
    ) {
        self.place = place
        self.priority = priority
        self.key = key
        self.user = user
        self.decision = decision
        self.stored = stored
        self.count = count
        self.records = records
    }

    /// Appends an event.
    ///
    /// Its sequence number is that of the segment plus the count of earlier records.
    ///
    /// - Parameters:
    ///   - id: The event's id.
    ///   - fragment: The encoded event.
    package mutating func append(id: EventID, fragment: some Collection<UInt8>) {
        append(id: id, fragment: fragment, seed: seed)
    }

    /// Appends an event with a precomputed ``seed``, for callers that append many events.
    ///
    /// - Parameters:
    ///   - id: The event's id.
    ///   - fragment: The encoded event.
    ///   - seed: The segment's ``seed``.
    package mutating func append(id: EventID, fragment: some Collection<UInt8>, seed: Checksum) {
        SegmentRecord.append(id: id, fragment: fragment, seed: seed, to: &records)
        count += 1
    }

    /// Appends an event from memory, with a precomputed ``seed``.
    ///
    /// It is not generic, because every stored event passes through it.
    ///
    /// - Parameters:
    ///   - id: The event's id.
    ///   - fragment: The encoded event.
    ///   - seed: The segment's ``seed``.
    package mutating func append(id: EventID, fragment: UnsafeBufferPointer<UInt8>, seed: Checksum) {
        SegmentRecord.append(id: id, fragment: fragment, seed: seed, to: &records)
        count += 1
    }

    /// Returns the valid records of the segment.
    ///
    /// There are fewer than ``count`` if some are damaged.
    package func read() -> [SegmentRecord] {
        SegmentRecord.read(records, seed: seed)
    }

    /// Returns a segment with the same properties and other records.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - offset: The difference to add to the segment's sequence number.
    /// - Returns: The new segment.
    package func replacing(records: some Collection<SegmentRecord>, offset: Int = 0) -> Segment {
        copy(at: SegmentPlace(lane: place.lane, number: place.number + Int64(offset)), records: records)
    }

    private func copy(at place: SegmentPlace, records: some Collection<SegmentRecord>) -> Segment {
        var segment = Segment(
            place: place,
            priority: priority,
            key: key,
            user: user,
            decision: decision,
            stored: stored
        )
        for record in records { segment.append(id: record.id, fragment: record.fragment) }
        return segment
    }

    /// The initial value for the checksums of its records.
    package var seed: Checksum { SegmentRecord.seed(lane: place.lane, key: key) }

    /// The segment's properties without its records, which is sufficient for a lease.
    package var summary: SegmentSummary {
        SegmentSummary(
            place: place,
            priority: priority,
            key: key,
            user: user,
            decision: decision,
            stored: stored,
            count: count,
            bytes: records.count
        )
    }
}

/// The properties of a segment without its records.
///
/// The count and the number of bytes are 0 if the segment's columns are damaged.
package struct SegmentSummary: Sendable, Equatable {
    package var place: SegmentPlace
    package var priority: TrackOptions.Priority
    package var key: String
    package var user: UserHash?
    package var decision: UInt64
    package var stored: StoredMoment
    package var count: Int
    package var bytes: Int

    /// Whether every value is plausible.
    var isPossible: Bool {
        place.isPossible && count > 0 && count <= bytes / SegmentRecord.overhead
            && stored.wall.isPossible && stored.monotonic.nanoseconds >= 0
            && decision <= PrivacyRows.greatestNumber
    }

    /// Marks this as the summary of a segment whose columns are damaged.
    mutating func forget() {
        (count, bytes, user, decision) = (0, 0, nil, 0)
        if !stored.wall.isPossible || stored.monotonic.nanoseconds < 0 {
            let zero = MonotonicInstant(nanoseconds: 0)
            stored = StoredMoment(wall: Timestamp(microseconds: 0), monotonic: zero, boot: 0)
        }
    }
}

/// A segment's position in its lane, in the order in which events were stored.
///
/// A segment's sequence number is that of its first event, and those of its other events follow. So a segment can be
/// split without moving any other segment.
package struct SegmentPlace: Sendable, Hashable, Comparable {
    private static let numberBits: Int64 = 40

    /// The lane number and the sequence number in one integer, which is the key in the storage.
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package init(lane: Int, number: Int64) {
        rawValue = Int64(lane) << SegmentPlace.numberBits | (number & ((1 << SegmentPlace.numberBits) - 1))
    }

    /// Returns the last place of a lane.
    ///
    /// No event of the lane has a greater sequence number.
    static func last(of lane: Int) -> SegmentPlace { SegmentPlace(lane: lane, number: lastNumber) }

    /// Whether an outbox can assign this lane number and this sequence number.
    var isPossible: Bool { StoredLane.numbers.contains(lane) && (0...SegmentPlace.lastNumber).contains(number) }

    /// The greatest sequence number: half of the range.
    static let lastNumber: Int64 = 1 << (numberBits - 1)

    /// The lane number in this outbox.
    package var lane: Int { Int(rawValue >> SegmentPlace.numberBits) }

    /// The sequence number of the segment's first event in its lane, from 1.
    package var number: Int64 { rawValue & ((1 << SegmentPlace.numberBits) - 1) }

    package static func < (left: SegmentPlace, right: SegmentPlace) -> Bool { left.rawValue < right.rawValue }
}

/// A time on the wall clock and on the monotonic clock.
package struct StoredMoment: Sendable, Hashable {
    package var wall: Timestamp
    package var monotonic: MonotonicInstant
    /// A checksum of the boot identifier: the monotonic time is comparable only within the same boot.
    package var boot: UInt32

    package init(wall: Timestamp, monotonic: MonotonicInstant, boot: UInt32) {
        self.wall = wall
        self.monotonic = monotonic
        self.boot = boot
    }

    /// Returns the checksum of a boot identifier, or 0 if it is empty.
    ///
    /// An empty identifier is unknown and equals no other.
    package static func checksum(ofBoot id: String) -> UInt32 {
        var checksum = Checksum()
        checksum.add(id)
        return checksum.value
    }

    /// Returns the age at another time.
    ///
    /// It is measured by the monotonic clock within one boot, otherwise by the wall clock.
    package func age(at now: StoredMoment) -> Duration {
        if boot == now.boot { return max(.zero, monotonic.duration(to: now.monotonic)) }
        let (age, overflow) = now.wall.microseconds.subtractingReportingOverflow(wall.microseconds)
        return .microseconds(overflow ? 0 : max(0, age))
    }
}

/// A stored event in a segment: length (4 bytes), CRC-32 (4 bytes), event id (16 bytes), fragment.
///
/// Integers are little-endian. The checksum covers the lane number, the batch key, the id and the fragment. So it
/// also detects a record that was moved to another lane or user.
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
        let length = UInt32(truncatingIfNeeded: 16 + fragment.count)
        let sum = checksum(id: id, fragment: fragment, seed: seed)
        let head = (length.littleEndian, sum.littleEndian, id.high.littleEndian, id.low.littleEndian)
        withUnsafeBytes(of: head) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: fragment)
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

    /// The maximum number of bytes that are searched for records.
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
        let id = EventID(
            high: integer(in: bytes, at: offset + 8, as: UInt64.self),
            low: integer(in: bytes, at: offset + 16, as: UInt64.self)
        )
        let fragment = bytes[(offset + overhead)..<(offset + 8 + length)]
        let sum = checksum(id: id, fragment: fragment, seed: seed)
        guard sum == integer(in: bytes, at: offset + 4, as: UInt32.self) else { return nil }
        return SegmentRecord(id: id, fragment: fragment)
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

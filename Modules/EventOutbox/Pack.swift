package import CoreTracker
package import EventBuffer

/// The unit of storage and of leasing: consecutive events of one lane, key, user and priority, encoded back to back.
///
/// One row holds many events, which makes storing one cost little more than appending its bytes. Each record carries
/// its own checksum, so that damage to one costs that one.
package struct Pack: Sendable, Equatable {
    /// The longest batch key, so that the column that holds it with the user's mark stays a possible one.
    package static let maximumKeyBytes = SQLiteText.longest / 2

    /// The pack's place: the lane's number in the upper bits, the number of its first event in the lower ones.
    package var place: PackPlace
    /// The priority that all its events share.
    package var priority: TrackOptions.Priority
    /// What the destination answered as batch key for all its events.
    package var key: String
    /// The user of all its events; `nil` for what earlier versions have stored.
    package var user: UserMark?
    /// When its first event was stored.
    package var stored: StoredMoment
    /// How many records it holds.
    package var count: Int
    /// The records, as ``PackRecord`` lays them out.
    package var records: [UInt8]

    package init(
        place: PackPlace,
        priority: TrackOptions.Priority,
        key: String,
        user: UserMark? = nil,
        stored: StoredMoment,
        count: Int = 0,
        records: [UInt8] = []
    ) {
        self.place = place
        self.priority = priority
        self.key = key
        self.user = user
        self.stored = stored
        self.count = count
        self.records = records
    }

    /// Appends an event; its number in the lane is the pack's own plus the count so far.
    package mutating func append(id: EventID, fragment: some Collection<UInt8>) {
        append(id: id, fragment: fragment, seed: seed)
    }

    /// Appends an event as above; `seed` is ``seed``, which whoever appends many works out once.
    package mutating func append(id: EventID, fragment: some Collection<UInt8>, seed: Checksum) {
        PackRecord.append(id: id, fragment: fragment, seed: seed, to: &records)
        count += 1
    }

    /// Appends an event as above, from memory; compiled for this one kind of bytes, since every event passes here.
    package mutating func append(id: EventID, fragment: UnsafeBufferPointer<UInt8>, seed: Checksum) {
        PackRecord.append(id: id, fragment: fragment, seed: seed, to: &records)
        count += 1
    }

    /// The sound records of the pack; fewer than its count when some are damaged.
    package func read() -> [PackRecord] {
        PackRecord.read(records, seed: seed)
    }

    /// Returns a pack with the same properties and other records, standing further back by an offset.
    package func replacing(records: some Collection<PackRecord>, offset: Int = 0) -> Pack {
        copy(at: PackPlace(lane: place.lane, number: place.number + Int64(offset)), records: records)
    }

    /// Returns a pack of the sound records at another place, also one of a lane with another number.
    package func moved(to place: PackPlace) -> Pack { copy(at: place, records: read()) }

    private func copy(at place: PackPlace, records: some Collection<PackRecord>) -> Pack {
        var pack = Pack(place: place, priority: priority, key: key, user: user, stored: stored)
        for record in records { pack.append(id: record.id, fragment: record.fragment) }
        return pack
    }

    /// The checksum that the checksums of its records start from.
    package var seed: Checksum { PackRecord.seed(lane: place.lane, key: key) }

    /// What a lease needs to know of the pack without reading its records.
    package var summary: PackSummary {
        PackSummary(
            place: place,
            priority: priority,
            key: key,
            user: user,
            stored: stored,
            count: count,
            bytes: records.count
        )
    }
}

/// What is known of a pack without reading its records; count and bytes are 0 when its columns are damaged.
package struct PackSummary: Sendable, Equatable {
    package var place: PackPlace
    package var priority: TrackOptions.Priority
    package var key: String
    package var user: UserMark?
    package var stored: StoredMoment
    package var count: Int
    package var bytes: Int

    /// Whether every number is one that a pack can have.
    var isPossible: Bool {
        place.isPossible && count > 0 && count <= bytes / PackRecord.overhead
            && stored.wall.isPossible && stored.monotonic.nanoseconds >= 0
    }

    /// Makes it the summary of a pack whose columns are damaged.
    mutating func forget() {
        (count, bytes) = (0, 0)
        if !stored.wall.isPossible || stored.monotonic.nanoseconds < 0 {
            let zero = MonotonicInstant(nanoseconds: 0)
            stored = StoredMoment(wall: Timestamp(microseconds: 0), monotonic: zero, boot: 0)
        }
    }
}

/// Where a pack stands: in its lane, in the order in which events were stored.
///
/// A pack's number is that of its first event and the numbers of its other events follow, so a pack can be cut in two
/// without moving any other.
package struct PackPlace: Sendable, Hashable, Comparable {
    private static let numberBits: Int64 = 40

    /// Lane and number in one integer, the storage's key.
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package init(lane: Int, number: Int64) {
        rawValue = Int64(lane) << PackPlace.numberBits | (number & ((1 << PackPlace.numberBits) - 1))
    }

    /// The last place of a lane; no event of it has ever a greater number.
    static func last(of lane: Int) -> PackPlace { PackPlace(lane: lane, number: lastNumber) }

    /// Whether lane and number are ones that an outbox gives.
    var isPossible: Bool { StoredLane.numbers.contains(lane) && (0...PackPlace.lastNumber).contains(number) }

    /// The greatest number that an event gets: half of what there is room for.
    static let lastNumber: Int64 = 1 << (numberBits - 1)

    /// The lane's number in this outbox.
    package var lane: Int { Int(rawValue >> PackPlace.numberBits) }

    /// The number of the pack's first event in its lane, from 1.
    package var number: Int64 { rawValue & ((1 << PackPlace.numberBits) - 1) }

    package static func < (left: PackPlace, right: PackPlace) -> Bool { left.rawValue < right.rawValue }
}

/// When something was stored, on both clocks.
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

    /// The checksum of a boot identifier; 0 for an empty one, which says nothing and equals no other.
    package static func checksum(ofBoot id: String) -> UInt32 {
        var checksum = Checksum()
        checksum.add(id)
        return checksum.value
    }

    /// How long ago it was at another moment: by the monotonic clock within one boot, otherwise by the wall clock.
    package func age(at now: StoredMoment) -> Duration {
        if boot == now.boot { return max(.zero, monotonic.duration(to: now.monotonic)) }
        let (age, overflow) = now.wall.microseconds.subtractingReportingOverflow(wall.microseconds)
        return .microseconds(overflow ? 0 : max(0, age))
    }
}

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

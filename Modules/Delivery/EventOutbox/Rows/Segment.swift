package import CoreTracker
package import EventTracking

/// A segment: consecutive events of one lane, batch key, user and priority, encoded back to back.
///
/// It is the unit of storage and leasing. One row holds many events, so storing an event costs little more than
/// appending its bytes. Each record has its own checksum, so damage to a record loses only that record.
package struct Segment: Sendable, Equatable {
    /// The maximum number of bytes in a batch key.
    ///
    /// With the user's hash, it still fits into its column.
    package static let maximumKeyBytes = RowText.longest / 2

    /// The segment's place: the lane number in the upper bits, and the sequence number of its first event in the lower
    /// bits.
    package var place: SegmentPlace
    /// The priority of all its events.
    package var priority: TrackOptions.Priority
    /// The batch key of all its events.
    package var key: String
    /// The user of all its events, or `nil` if it is unknown because of damage.
    package var user: UserHash?
    /// The number of decisions and erasures when its events were stored.
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
    /// Its sequence number is the segment's sequence number plus the count of earlier records.
    ///
    /// - Parameters:
    ///   - id: The event's id.
    ///   - fragment: The encoded event.
    package mutating func append(id: EventID, fragment: some Collection<UInt8>) {
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
        var segment = self
        segment.place = SegmentPlace(lane: place.lane, number: place.number + Int64(offset))
        (segment.count, segment.records) = (0, [])
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
            && decision <= StateRow.greatestNumber
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
/// A segment's sequence number is the number of its first event, and the numbers of its other events follow. A segment
/// can therefore be split without moving any other segment.
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

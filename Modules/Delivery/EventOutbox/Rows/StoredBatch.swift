package import EventDeliveryAPI

/// A batch in its stored form.
///
/// It is stored before its first attempt, so every retry is identical, even after a crash.
package struct StoredBatch: Sendable, Equatable {
    package var id: EventID
    /// The segments of the batch, in order.
    ///
    /// Never empty.
    package var segments: [SegmentPlace]
    /// The number of times the batch, or a batch of which it is a part, was sent.
    package var attempts: Int
    /// The number of these times in which the receiver refused it without a reason.
    package var refusals: Int

    package init(id: EventID, segments: [SegmentPlace], attempts: Int = 0, refusals: Int = 0) {
        self.id = id
        self.segments = segments
        self.attempts = attempts
        self.refusals = refusals
    }
}

extension StoredBatch: OutboxRow {
    static let table = RowTable.batch

    var rowKey: [UInt8] { LaneKey(lane: lane, id: id).bytes }

    init?(rowKey key: [UInt8]) {
        guard let key = LaneKey(key) else { return nil }
        self.init(id: key.id, segments: [])
    }

    mutating func code(_ coder: inout RowCoder) {
        coder.code(&segments, from: SegmentPlace(rawValue: 0)) { place, coder in
            var number = place.rawValue
            coder.code(&number)
            place = SegmentPlace(rawValue: number)
        }
        coder.code(&attempts)
        coder.code(&refusals)
    }

    /// Whether the segments can be sent together and every value is plausible.
    var isPossible: Bool {
        !segments.isEmpty && zip(segments, segments.dropFirst()).allSatisfy { $0 < $1 }
            && segments.allSatisfy { $0.isPossible && $0.lane == lane } && (0...(1 << 30)).contains(attempts)
            && (0...(1 << 30)).contains(refusals)
    }
}

extension StoredBatch {
    /// The lane number.
    package var lane: Int { segments.first?.lane ?? 0 }

    /// The place of its first segment, in whose order the batches of a lane are sent.
    package var start: SegmentPlace { segments.first ?? SegmentPlace(rawValue: 0) }
}

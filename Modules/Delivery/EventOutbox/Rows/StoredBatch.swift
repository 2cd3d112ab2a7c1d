package import EventTracking

/// A batch in its stored form, in the row of its lane.
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

    /// The place of its first segment, in whose order the batches of a lane are sent.
    package var start: SegmentPlace { segments.first ?? SegmentPlace(rawValue: 0) }

    /// Whether the segments can be sent together and every value is plausible.
    ///
    /// - Parameter lane: The batch's lane. A batch below its start was dissolved together with its events.
    func isPossible(in lane: StoredLane) -> Bool {
        !segments.isEmpty && segments.allSatisfy { $0.isPossible && $0.lane == lane.number && $0.number >= lane.start }
            && zip(segments, segments.dropFirst()).allSatisfy { $0 < $1 }
            && [attempts, refusals].allSatisfy { (0...(1 << 30)).contains($0) }
    }
}

extension RowCoder {
    /// Writes or reads the open batches of a lane.
    ///
    /// A place is written as the distance from the previous one, which is one byte for most.
    mutating func code(_ batches: inout [StoredBatch], lane: Int) {
        code(&batches, from: StoredBatch(id: EventID(high: 0, low: 0), segments: [])) { batch, coder in
            var (high, low) = (batch.id.high, batch.id.low)
            coder.code(&high)
            coder.code(&low)
            batch.id = EventID(high: high, low: low)
            var last = SegmentPlace(lane: lane, number: 0).rawValue
            coder.code(&batch.segments, from: SegmentPlace(rawValue: 0)) { place, coder in
                var distance = place.rawValue &- last
                coder.code(&distance)
                last &+= distance
                place = SegmentPlace(rawValue: last)
            }
            coder.code(&batch.attempts)
            coder.code(&batch.refusals)
        }
    }
}

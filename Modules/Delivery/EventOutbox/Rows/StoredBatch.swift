package import EventBuffer

/// A batch in its stored form.
///
/// It is stored before its first attempt, so every retry is identical, even after a crash.
package struct StoredBatch: Sendable, Equatable {
    /// The result of earlier refusals of the whole batch; see `BatchResult.suspect`.
    package enum Suspicion: Int, Sendable {
        /// The batch was not refused.
        case none = 0
        /// One half of a batch that was refused without a reason.
        ///
        /// The other half has not been sent yet.
        case half = 1
        /// A half that was also refused.
        ///
        /// It waits until the other half has been sent.
        case deferred = 2
        /// The other half was accepted, so the invalid event is in this half.
        case proven = 3
    }

    package var id: EventID
    /// The segments of the batch, in order.
    ///
    /// Never empty.
    package var segments: [SegmentPlace]
    /// The number of times that the batch was sent.
    package var attempts: Int
    package var suspicion: Suspicion

    package init(id: EventID, segments: [SegmentPlace], attempts: Int = 0, suspicion: Suspicion = .none) {
        self.id = id
        self.segments = segments
        self.attempts = attempts
        self.suspicion = suspicion
    }

    /// Whether the segments can be sent together and every value is plausible.
    var isPossible: Bool {
        !segments.isEmpty && zip(segments, segments.dropFirst()).allSatisfy { $0 < $1 }
            && segments.allSatisfy { $0.isPossible && $0.lane == lane } && (0...(1 << 30)).contains(attempts)
    }

    /// The lane number.
    package var lane: Int { segments.first?.lane ?? 0 }

    /// Whether the batch is sent before another batch of its lane.
    package func precedes(_ other: StoredBatch) -> Bool {
        guard let first = segments.first, let otherFirst = other.segments.first, first != otherFirst else {
            return id < other.id
        }
        return first < otherFirst
    }
}

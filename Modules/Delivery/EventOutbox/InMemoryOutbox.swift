package import CoreTracker
package import EventBuffer

/// An outbox in memory, for tests and for engines without a directory.
///
/// It fulfills the contract of ``Outbox``, except that its contents do not survive the process.
package final class InMemoryOutbox: Outbox {
    private var segments: [SegmentPlace: Segment] = [:]
    private var held: [SegmentPlace: Segment] = [:]
    private var openBatches: [EventID: StoredBatch] = [:]
    private var quarantine: [QuarantinedEvent] = []
    private var storedLanes: [Int: StoredLane] = [:]

    package init() {}

    package func commit(_ change: OutboxChange, barrier: Bool) {
        for place in change.removed { segments[place] = nil }
        for place in change.removedHeld { held[place] = nil }
        for lane in change.grantedLanes {
            for (place, segment) in held where place.lane == lane {
                segments[place] = segment
                held[place] = nil
            }
        }
        for segment in change.inserted { segments[segment.place] = segment }
        for segment in change.insertedHeld { held[segment.place] = segment }
        for id in change.removedBatches { openBatches[id] = nil }
        for batch in change.savedBatches { openBatches[batch.id] = batch }
        let gone = Set(change.removedQuarantined + change.insertedQuarantined.map(\.id))
        quarantine.removeAll { gone.contains($0.id) }
        quarantine += change.insertedQuarantined
        for lane in change.lanes { storedLanes[lane.number] = lane }
    }

    package func lanes() -> [StoredLane] {
        storedLanes.values.sorted { $0.number < $1.number }
    }

    package func batches(lane: Int) -> [StoredBatch] {
        openBatches.values.filter { $0.lane == lane }.sorted { $0.precedes($1) }
    }

    package func summaries(lane: Int, after place: SegmentPlace?, limit: Int) -> [SegmentSummary] {
        let start = place ?? SegmentPlace(lane: lane, number: 0)
        return segments.keys.filter { $0.lane == lane && $0 > start }.sorted().prefix(limit)
            .compactMap { segments[$0]?.summary }
    }

    package func heldSegments(lane: Int) -> [Segment] {
        held.values.filter { $0.place.lane == lane }.sorted { $0.place < $1.place }
    }

    package func segment(at place: SegmentPlace) -> Segment? {
        segments[place]
    }

    package func lastSummary(lane: Int) -> SegmentSummary? {
        (Array(segments.values) + Array(held.values)).filter { $0.place.lane == lane }.max { $0.place < $1.place }?
            .summary
    }

    package func usage(lane: Int) -> LaneUsage {
        var usage = LaneUsage()
        for segment in segments.values where segment.place.lane == lane { usage.count(segment.summary, sign: 1) }
        for segment in held.values where segment.place.lane == lane { usage.countHeld(segment.summary, sign: 1) }
        usage.oldest = summaries(lane: lane, after: nil, limit: 1).first?.stored
        return usage
    }

    package func recount(lane: Int) -> LaneUsage { usage(lane: lane) }

    package func quarantined(lane: LaneID?, limit: Int) -> [QuarantinedEvent] {
        Array(quarantine.filter { lane == nil || $0.lane == lane }.prefix(limit))
    }

    package func erase(_ lanes: [StoredLane], with change: OutboxChange) {
        commit(change, barrier: false)
        for lane in lanes {
            segments = segments.filter { $0.key.lane != lane.number }
            held = held.filter { $0.key.lane != lane.number }
            openBatches = openBatches.filter { $0.value.lane != lane.number }
            quarantine.removeAll { $0.lane == lane.id }
            storedLanes[lane.number] = lane
        }
    }

    package func scrub() {}

    package func maintain() {}

    package let isPresent = true

    package func close() {}
}

/// An empty outbox that refuses every change, for an engine that cannot open a file.
///
/// A ``BufferedOutbox`` in front of it keeps everything in memory until a file can be opened.
package final class AbsentOutbox: Outbox {
    private let reason: OutboxError

    /// Creates an outbox that throws an error on every change.
    ///
    /// - Parameter reason: The error.
    package init(_ reason: OutboxError) {
        self.reason = reason
    }

    package func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) { throw reason }
    package func lanes() -> [StoredLane] { [] }
    package func batches(lane: Int) -> [StoredBatch] { [] }
    package func summaries(lane: Int, after place: SegmentPlace?, limit: Int) -> [SegmentSummary] { [] }
    package func segment(at place: SegmentPlace) -> Segment? { nil }
    package func lastSummary(lane: Int) -> SegmentSummary? { nil }
    package func usage(lane: Int) -> LaneUsage { LaneUsage() }
    package func recount(lane: Int) -> LaneUsage { LaneUsage() }
    package func heldSegments(lane: Int) -> [Segment] { [] }
    package func quarantined(lane: LaneID?, limit: Int) -> [QuarantinedEvent] { [] }
    package func erase(_ lanes: [StoredLane], with change: OutboxChange) throws(OutboxError) { throw reason }
    package func scrub() {}
    package func maintain() {}
    package var isPresent: Bool { true }
    package func close() {}
}

/// An outbox for a file that cannot be read now.
///
/// Its contents are unknown, so every call fails.
///
/// An ``AbsentOutbox`` is known to be empty. The events of this outbox must not count as lost.
package final class ClosedOutbox: Outbox {
    private let reason: OutboxError

    /// Creates an outbox that throws an error on every call.
    ///
    /// - Parameter reason: The error.
    package init(_ reason: OutboxError) {
        self.reason = reason
    }

    package func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) { throw reason }
    package func lanes() throws(OutboxError) -> [StoredLane] { throw reason }
    package func batches(lane: Int) throws(OutboxError) -> [StoredBatch] { throw reason }
    package func summaries(lane: Int, after place: SegmentPlace?, limit: Int) throws(OutboxError) -> [SegmentSummary] {
        throw reason
    }
    package func segment(at place: SegmentPlace) throws(OutboxError) -> Segment? { throw reason }
    package func lastSummary(lane: Int) throws(OutboxError) -> SegmentSummary? { throw reason }
    package func usage(lane: Int) throws(OutboxError) -> LaneUsage { throw reason }
    package func recount(lane: Int) throws(OutboxError) -> LaneUsage { throw reason }
    package func heldSegments(lane: Int) throws(OutboxError) -> [Segment] { throw reason }
    package func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent] { throw reason }
    package func erase(_ lanes: [StoredLane], with change: OutboxChange) throws(OutboxError) { throw reason }
    package func scrub() throws(OutboxError) { throw reason }
    package func maintain() throws(OutboxError) { throw reason }
    package var isPresent: Bool { true }
    package func close() {}
}

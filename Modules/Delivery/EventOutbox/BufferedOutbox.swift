package import CoreTracker
package import EventBuffer

/// An outbox that keeps changes in memory if the disk fails, for example because it is full or read-only.
///
/// A commit writes the kept changes together with its own, or fails as a whole. Kept changes are read as if they were
/// stored. So acknowledged events are not sent again, and new events are delivered from memory.
package final class BufferedOutbox: Outbox {
    /// The outbox on disk.
    package let base: any Outbox
    package private(set) var buffer: OutboxBuffer

    package init(_ base: any Outbox, buffer: OutboxBuffer = OutboxBuffer()) {
        self.base = base
        self.buffer = buffer
    }

    /// Keeps a change in memory that could not be committed.
    package func keep(_ change: OutboxChange) {
        buffer.add(change)
    }

    package func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        guard !buffer.isEmpty else { return try base.commit(change, barrier: barrier) }
        var merged = buffer
        merged.add(change)
        try base.commit(merged.change, barrier: barrier)
        buffer = OutboxBuffer()
    }

    package func lanes() throws(OutboxError) -> [StoredLane] {
        let stored = try base.lanes()
        guard !buffer.isEmpty else { return stored }
        return (stored.filter { buffer.lanes[$0.number] == nil } + buffer.lanes.values).sorted { $0.number < $1.number }
    }

    package func batches(lane: Int) throws(OutboxError) -> [StoredBatch] {
        let stored = try base.batches(lane: lane)
        guard !buffer.isEmpty else { return stored }
        let kept = stored.filter { !buffer.removedBatches.contains($0.id) && buffer.savedBatches[$0.id] == nil }
        return (kept + buffer.savedBatches.values.filter { $0.lane == lane }).sorted { $0.precedes($1) }
    }

    package func summaries(lane: Int, after place: SegmentPlace?, limit: Int) throws(OutboxError) -> [SegmentSummary] {
        guard !buffer.isEmpty else { return try base.summaries(lane: lane, after: place, limit: limit) }
        var stored = try base.summaries(lane: lane, after: place, limit: limit.saturatingAdd(buffer.removed.count))
        if buffer.grantedLanes.contains(lane) {
            stored += try base.heldSegments(lane: lane).map(\.summary).filter { !buffer.removedHeld.contains($0.place) }
        }
        stored.removeAll { buffer.removed.contains($0.place) }
        stored += buffer.inserted.values.filter { $0.place.lane == lane }.map(\.summary)
        let start = place ?? SegmentPlace(lane: lane, number: 0)
        return Array(stored.filter { $0.place > start }.sorted { $0.place < $1.place }.prefix(limit))
    }

    package func segment(at place: SegmentPlace) throws(OutboxError) -> Segment? {
        guard !buffer.isEmpty else { return try base.segment(at: place) }
        if let segment = buffer.inserted[place] { return segment }
        if buffer.removed.contains(place) { return nil }
        if let segment = try base.segment(at: place) { return segment }
        guard buffer.grantedLanes.contains(place.lane), !buffer.removedHeld.contains(place) else { return nil }
        return try base.heldSegments(lane: place.lane).first { $0.place == place }
    }

    package func heldSegments(lane: Int) throws(OutboxError) -> [Segment] {
        let stored = try base.heldSegments(lane: lane)
        guard !buffer.isEmpty else { return stored }
        let kept = buffer.grantedLanes.contains(lane) ? [] : stored.filter { !buffer.removedHeld.contains($0.place) }
        return (kept + buffer.insertedHeld.values.filter { $0.place.lane == lane }).sorted { $0.place < $1.place }
    }

    package func lastSummary(lane: Int) throws(OutboxError) -> SegmentSummary? {
        guard !buffer.isEmpty else { return try base.lastSummary(lane: lane) }
        return try (allSummaries(lane: lane) + heldSegments(lane: lane).map(\.summary)).max { $0.place < $1.place }
    }

    package func usage(lane: Int) throws(OutboxError) -> LaneUsage {
        try buffer.isEmpty ? base.usage(lane: lane) : countedUsage(lane: lane)
    }

    package func recount(lane: Int) throws(OutboxError) -> LaneUsage {
        try buffer.isEmpty ? base.recount(lane: lane) : countedUsage(lane: lane)
    }

    package func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent] {
        guard !buffer.isEmpty else { return try base.quarantined(lane: lane, limit: limit) }
        let more = limit.addingReportingOverflow(buffer.removedQuarantined.count)
        let stored = try base.quarantined(lane: lane, limit: more.overflow ? limit : more.partialValue)
            .filter { !buffer.removedQuarantined.contains($0.id) }
        return Array((stored + buffer.insertedQuarantined.filter { lane == nil || $0.lane == lane }).prefix(limit))
    }

    package func erase(_ lanes: [StoredLane], with change: OutboxChange) throws(OutboxError) {
        // If the erasure fails, removals stay in memory for the next commit, and removed events are not read any more.
        // The deletion of lanes, and its change, happens completely or not at all.
        if lanes.isEmpty, !change.isEmpty { buffer.add(change) }
        var merged = buffer
        if !lanes.isEmpty {
            var change = change
            change.lanes += lanes
            merged.add(change)
            for lane in lanes { merged.takeOut(lane) }
        }
        // Without an outbox on disk, memory holds all contents.
        guard !(base is AbsentOutbox) else { return buffer = merged }
        try base.erase(lanes, with: merged.change)
        buffer = OutboxBuffer()
    }

    /// Removes the changes of a lane from memory, because its events must not be stored any more.
    ///
    /// - Parameter lane: The lane's row.
    /// - Returns: The removed changes.
    package func takeOutKept(of lane: StoredLane) -> OutboxChange {
        buffer.takeOut(lane)
    }

    package func scrub() throws(OutboxError) { try base.scrub() }

    package func maintain() throws(OutboxError) { try base.maintain() }

    package var isPresent: Bool { base.isPresent }

    package func close() { base.close() }

    private func countedUsage(lane: Int) throws(OutboxError) -> LaneUsage {
        var usage = LaneUsage()
        let summaries = try allSummaries(lane: lane)
        for summary in summaries { usage.count(summary, sign: 1) }
        for segment in try heldSegments(lane: lane) { usage.countHeld(segment.summary, sign: 1) }
        usage.oldest = summaries.first?.stored
        return usage
    }

    private func allSummaries(lane: Int) throws(OutboxError) -> [SegmentSummary] {
        try summaries(lane: lane, after: nil, limit: .max)
    }
}

/// Changes that are not on disk yet, merged into one.
package struct OutboxBuffer: Sendable {
    private(set) var removed: Set<SegmentPlace> = []
    private(set) var inserted: [SegmentPlace: Segment] = [:]
    private(set) var removedHeld: Set<SegmentPlace> = []
    private(set) var insertedHeld: [SegmentPlace: Segment] = [:]
    private(set) var removedBatches: Set<EventID> = []
    private(set) var savedBatches: [EventID: StoredBatch] = [:]
    private(set) var removedQuarantined: Set<EventID> = []
    private(set) var insertedQuarantined: [QuarantinedEvent] = []
    private(set) var lanes: [Int: StoredLane] = [:]
    private(set) var grantedLanes: Set<Int> = []
    private(set) var clearance: Clearance?
    package private(set) var isEmpty = true

    /// Adds a later change.
    package mutating func add(_ change: OutboxChange) {
        isEmpty = false
        removed.formUnion(change.removed)
        for place in change.removed {
            inserted[place] = nil
            // A segment that a grant in this buffer would move is removed before it is moved.
            if grantedLanes.contains(place.lane) { removedHeld.insert(place) }
        }
        removedHeld.formUnion(change.removedHeld)
        for place in change.removedHeld { insertedHeld[place] = nil }
        for lane in change.grantedLanes { grant(lane) }
        for segment in change.inserted { inserted[segment.place] = segment }
        for segment in change.insertedHeld { insertedHeld[segment.place] = segment }
        removedBatches.formUnion(change.removedBatches)
        for id in change.removedBatches { savedBatches[id] = nil }
        for batch in change.savedBatches { savedBatches[batch.id] = batch }
        let replaced = change.removedQuarantined + change.insertedQuarantined.map(\.id)
        removedQuarantined.formUnion(replaced)
        insertedQuarantined.removeAll { replaced.contains($0.id) }
        insertedQuarantined += change.insertedQuarantined
        for lane in change.lanes { lanes[lane.number] = lane }
        clearance = change.clearance ?? clearance
    }

    /// All changes as one.
    package var change: OutboxChange {
        var change = OutboxChange()
        change.removed = removed.sorted()
        change.inserted = inserted.values.sorted { $0.place < $1.place }
        change.removedHeld = removedHeld.sorted()
        change.insertedHeld = insertedHeld.values.sorted { $0.place < $1.place }
        change.grantedLanes = grantedLanes.sorted()
        change.removedBatches = removedBatches.sorted()
        change.savedBatches = savedBatches.values.sorted { $0.precedes($1) }
        change.removedQuarantined = removedQuarantined.sorted()
        change.insertedQuarantined = insertedQuarantined
        change.lanes = lanes.values.sorted { $0.number < $1.number }
        change.clearance = clearance
        return change
    }

    /// The number and size in bytes of the events in memory.
    package var size: (events: Int, bytes: Int) {
        let segments = [inserted.values, insertedHeld.values].joined()
        return segments.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.records.count) }
    }

    /// Removes and returns the changes of a lane, except its row.
    @discardableResult
    mutating func takeOut(_ lane: StoredLane) -> OutboxChange {
        var taken = OutboxChange()
        taken.inserted = inserted.values.filter { $0.place.lane == lane.number }
        taken.insertedHeld = insertedHeld.values.filter { $0.place.lane == lane.number }
        taken.insertedQuarantined = insertedQuarantined.filter { $0.lane == lane.id }
        taken.savedBatches = savedBatches.values.filter { $0.lane == lane.number }
        for segment in taken.inserted { inserted[segment.place] = nil }
        for segment in taken.insertedHeld { insertedHeld[segment.place] = nil }
        for batch in taken.savedBatches { savedBatches[batch.id] = nil }
        insertedQuarantined.removeAll { $0.lane == lane.id }
        return taken
    }

    private mutating func grant(_ lane: Int) {
        grantedLanes.insert(lane)
        for (place, segment) in insertedHeld where place.lane == lane {
            inserted[place] = segment
            insertedHeld[place] = nil
        }
    }
}

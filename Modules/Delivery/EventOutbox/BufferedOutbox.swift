package import CoreTracker
package import EventDeliveryAPI

/// An outbox that keeps changes in memory if the disk fails, for example because it is full or read-only.
///
/// A commit writes the kept changes together with its own, or fails as a whole. Kept changes are read as if they were
/// stored. So acknowledged events are not sent again, and new events are delivered from memory.
package final class BufferedOutbox {
    /// The database, or `nil` if it cannot be read now.
    private var base: SQLiteOutbox?
    /// The reason for the missing database.
    private let failure: OutboxError
    /// The unstored changes.
    private var kept = KeptChanges()

    /// Creates an outbox over a database.
    ///
    /// - Parameters:
    ///   - base: The database.
    ///   - other: The outbox whose kept changes it takes over.
    package init(_ base: SQLiteOutbox, keeping other: BufferedOutbox? = nil) {
        self.base = base
        failure = .notOpen
        kept = other?.kept ?? KeptChanges()
    }

    /// Creates an outbox whose contents cannot be read now.
    ///
    /// - Parameters:
    ///   - failure: The error of each call.
    ///   - other: The outbox whose kept changes it takes over.
    package init(unreadable failure: OutboxError, keeping other: BufferedOutbox? = nil) {
        self.failure = failure
        kept = other?.kept ?? KeptChanges()
    }

    /// The database.
    private var database: SQLiteOutbox {
        get throws(OutboxError) {
            guard let base else { throw failure }
            return base
        }
    }

    /// Whether there is a database.
    package var isOpen: Bool { base != nil }

    /// Keeps in memory a change that could not be committed.
    package func keep(_ change: OutboxChange) { kept.add(change) }

    /// The number and size in bytes of the events in memory.
    package var keptSize: (events: Int, bytes: Int) { kept.size }

    /// The lanes in the database by their number, without the kept changes, or `nil` if they cannot be read.
    package var storedLanes: [Int: StoredLane]? {
        guard let lanes = try? base?.lanes() else { return nil }
        return Dictionary(lanes.map { ($0.number, $0) }) { first, _ in first }
    }

    /// Returns the events held only in memory, pending and quarantined.
    ///
    /// - Parameter stored: The lanes in the database: ``storedLanes``.
    package func keptEvents(
        beyond stored: [Int: StoredLane]?
    ) -> (pending: [Segment], quarantined: [QuarantinedEvent]) {
        // A part of a stored segment has an earlier sequence number.
        let pending = kept.inserted.values.filter { $0.place.number >= stored?[$0.place.lane]?.nextNumber ?? 0 }
        return (pending, kept.insertedQuarantined)
    }

    /// Applies a change in one transaction, together with the kept changes.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - barrier: Whether this and all earlier changes must survive a power loss.
    /// - Throws: The storage error. Nothing is changed then.
    package func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        let base = try database
        guard !kept.isEmpty else { return try base.commit(change, barrier: barrier) }
        var merged = kept
        merged.add(change)
        try base.commit(merged.change, barrier: barrier)
        kept = KeptChanges()
    }

    /// Whether there are kept changes.
    package var hasKept: Bool { !kept.isEmpty }

    /// Applies a change in one transaction without the kept changes, which remain in memory.
    ///
    /// - Parameters:
    ///   - change: The change, which inserts no segment.
    ///   - part: The same change of the database without the kept changes: of ``withoutKept``.
    ///   - barrier: Whether this and all earlier changes must survive a power loss.
    /// - Throws: The storage error. Nothing is changed then.
    package func commit(_ change: OutboxChange, storing part: OutboxChange, barrier: Bool) throws(OutboxError) {
        try database.commit(part, barrier: barrier)
        // The kept changes, which are applied later, must not restore earlier rows.
        kept.add(change)
    }

    /// The outbox as the next process would find it after a kill.
    package var withoutKept: BufferedOutbox {
        get throws(OutboxError) { BufferedOutbox(try database) }
    }

    /// Reads all rows of the database except the segments, without the kept changes.
    ///
    /// - Throws: The storage error.
    package func storedRows() throws(OutboxError) -> OutboxRows {
        try OutboxRows(of: database, completedBy: nil)
    }

    /// Stores the kept changes, if there are any, so they survive a power loss.
    ///
    /// - Throws: The storage error. The changes are kept then.
    package func storeKept() throws(OutboxError) {
        if !kept.isEmpty { try commit(OutboxChange(), barrier: true) }
    }

    /// Returns the next segments in order, without their records.
    ///
    /// - Parameters:
    ///   - lane: The lane number, or `nil` for all lanes.
    ///   - place: The place after which to begin, or `nil` for the first segment.
    ///   - void: The decision number below which segments are left out.
    ///   - isComplete: Whether to include stored segments removed or replaced by a kept change.
    ///   - limit: The maximum number of summaries.
    /// - Returns: The summaries.
    /// - Throws: The storage error.
    package func summaries(
        lane: Int?,
        after place: SegmentPlace?,
        void: UInt64 = 0,
        isComplete: Bool = false,
        limit: Int
    ) throws(OutboxError) -> [SegmentSummary] {
        let base = try database
        guard !kept.isEmpty else { return try base.summaries(lane: lane, after: place, void: void, limit: limit) }
        let more = limit.saturatingAdd(kept.removed.count)
        var stored = try base.summaries(lane: lane, after: place, void: void, limit: more)
        if !isComplete { stored.removeAll { kept.removed.contains($0.place) } }
        stored += kept.inserted.values.lazy.map(\.summary).filter { summary in
            (lane == nil || summary.place.lane == lane) && summary.decision >= void
                && place.map { summary.place > $0 } ?? true
        }
        return Array(stored.sorted(by: \.place).prefix(limit))
    }

    /// Visits the segments of a lane in order, without their records and in constant memory.
    ///
    /// - Parameters:
    ///   - lane: The lane, or `nil` for all lanes.
    ///   - start: The place after which to begin, or `nil` for the first segment.
    ///   - body: Receives each summary. It returns whether to continue.
    /// - Throws: The storage error, or the error of `body`.
    package func forEachSummary(
        of lane: StoredLane?,
        after start: SegmentPlace? = nil,
        _ body: (SegmentSummary) throws(OutboxError) -> Bool
    ) throws(OutboxError) {
        var place = start
        // Most callers need the first segments only.
        var limit = 8
        while true {
            let page = try summaries(lane: lane?.number, after: place, void: lane?.void ?? 0, limit: limit)
            for summary in page where !(try body(summary)) { return }
            guard let last = page.last else { return }
            place = last.place
            limit = min(limit * 4, 256)
        }
    }

    /// Returns a segment, or `nil` if it does not exist.
    package func segment(at place: SegmentPlace) throws(OutboxError) -> Segment? {
        if let segment = kept.inserted[place] { return segment }
        return kept.removed.contains(place) ? nil : try database.segment(at: place)
    }

    /// Counts the events of a lane, except those that no longer exist.
    ///
    /// Reads every row of the lane.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - privacy: The pending erasures.
    /// - Returns: The number and size of the events.
    /// - Throws: The storage error.
    package func recount(_ lane: StoredLane, _ privacy: PrivacyRows) throws(OutboxError) -> LaneCounts {
        var counts = LaneCounts()
        try forEachSummary(of: lane) { summary throws(OutboxError) in
            guard !privacy.isErased(summary.user, summary.decision) else { return true }
            var summary = summary
            if summary.count == 0, let segment = try segment(at: summary.place) {
                // The columns are damaged, but the records can be counted.
                (summary.count, summary.bytes) = (segment.read().count, segment.records.count)
            }
            counts.count(summary, sign: 1)
            return true
        }
        return counts
    }

    /// Moves the contents of the log into the file, and empties the log.
    package func emptyLog() throws(OutboxError) { try database.emptyLog() }

    /// Starts to rewrite the file without the bytes of deleted rows.
    package func startRewrite() throws(OutboxError) { try database.startRewrite() }

    /// Makes the next step of a rewrite, and returns whether the rewrite is complete.
    package func rewriteStep() throws(OutboxError) -> Bool { try database.rewriteStep() }

    /// Does maintenance, which can wait until the writer is idle.
    package func maintain() throws(OutboxError) { try database.maintain() }

    /// Whether the next process would find the stored events.
    package var isPresent: Bool { base?.isPresent ?? true }

    /// Whether the outbox is a file.
    package var isFile: Bool { base?.isFile ?? true }

    /// Writes a replacement of the file with all segments.
    ///
    /// - Parameters:
    ///   - directory: The locked directory.
    ///   - rows: All rows except the segments.
    /// - Returns: The rows of the new file, and the number of missing events of each lane.
    /// - Throws: The storage error. The file is unchanged then.
    package func writeReplacement(
        in directory: OutboxDirectory,
        rows: OutboxRows
    ) throws(OutboxError) -> (rows: OutboxRows, losses: [LaneID: Int]) {
        try OutboxReplacement.write(in: directory, rows: rows) { add throws(OutboxError) in
            try forEachSummary(of: nil) { summary throws(OutboxError) in
                if let segment = try segment(at: summary.place) { try add(segment) }
                return true
            }
        }
    }

    /// Adds the kept segments to the replacement of a damaged file.
    ///
    /// - Parameter add: Receives each segment.
    /// - Throws: The error of `add`.
    package func forEachKeptSegment(_ add: (Segment) throws(OutboxError) -> Void) throws(OutboxError) {
        for segment in kept.change.segments.saved { try add(segment) }
    }

    /// Whether a kept change removes or replaces a stored segment.
    package func replaces(_ place: SegmentPlace) -> Bool {
        kept.removed.contains(place) || kept.inserted[place] != nil
    }

    /// Overwrites a failed commit before the kept changes are discarded.
    package func overwriteFailedCommit() {
        if !kept.isEmpty { base?.overwriteFailedCommit() }
    }

    /// Writes all changes to the file and closes the outbox.
    ///
    /// Kept changes are lost.
    ///
    /// No other call may follow.
    package func close() { base?.close() }

    /// Deletes the file, unless it was moved or replaced, and closes the outbox.
    ///
    /// No other call may follow.
    package func discard() { base?.discard() }
}

/// The changes not yet on disk, merged into one.
struct KeptChanges: Sendable {
    private(set) var removed: Set<SegmentPlace> = []
    private(set) var inserted: [SegmentPlace: Segment] = [:]
    private var removedQuarantined: Set<EventID> = []
    private(set) var insertedQuarantined: [QuarantinedEvent] = []
    private var batches: [EventID: StoredBatch?] = [:]
    private var lanes: [Int: StoredLane?] = [:]
    private var decisions: [String: DecisionRow] = [:]
    private var erasures: [UInt64: ErasureRow?] = [:]
    private var state: PrivacyStateRow?
    private(set) var isEmpty = true

    /// Adds a later change.
    ///
    /// A segment or an event held only in memory leaves nothing behind, so the removals are bounded by the stored rows.
    mutating func add(_ change: OutboxChange) {
        isEmpty = false
        for id in change.batches.removed {
            let isNew = batches[id]??.segments.allSatisfy { inserted[$0] != nil && !removed.contains($0) }
            batches[id] = isNew == true ? nil : .some(nil)
        }
        for place in change.segments.removed where inserted.removeValue(forKey: place) == nil { removed.insert(place) }
        for segment in change.segments.saved { inserted[segment.place] = segment }
        for batch in change.batches.saved { batches[batch.id] = batch }
        for id in change.quarantined.removed {
            let count = insertedQuarantined.count
            insertedQuarantined.removeAll { $0.id == id }
            if insertedQuarantined.count == count { removedQuarantined.insert(id) }
        }
        for event in change.quarantined.saved {
            insertedQuarantined.removeAll { $0.id == event.id }
            insertedQuarantined.append(event)
        }
        for number in change.lanes.removed { lanes[number] = .some(nil) }
        for lane in change.lanes.saved { lanes[lane.number] = lane }
        for decision in change.decisions { decisions[decision.purpose] = decision }
        for number in change.erasures.removed { erasures[number] = .some(nil) }
        for erasure in change.erasures.saved { erasures[erasure.number] = erasure }
        state = change.state ?? state
    }

    /// All changes as one, in the order of their keys.
    var change: OutboxChange {
        var change = OutboxChange()
        change.segments.removed = removed.sorted(by: \.self)
        change.segments.saved = inserted.values.sorted(by: \.place)
        change.batches = RowChanges(batches)
        change.quarantined.removed = removedQuarantined.sorted(by: \.self)
        change.quarantined.saved = insertedQuarantined
        change.lanes = RowChanges(lanes)
        change.decisions = decisions.values.sorted(by: \.purpose)
        change.erasures = RowChanges(erasures)
        change.state = state
        return change
    }

    /// The number and size in bytes of the events in memory.
    var size: (events: Int, bytes: Int) {
        inserted.values.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.records.count) }
    }
}

extension RowChanges where Key: Comparable & Hashable {
    /// Creates the changes of rows by their keys, of which removed ones are `nil`.
    fileprivate init(_ rows: [Key: Row?]) {
        for (key, row) in rows.sorted(by: \.key) {
            if let row { saved.append(row) } else { removed.append(key) }
        }
    }
}

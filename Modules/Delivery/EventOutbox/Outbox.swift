package import CoreTracker
package import EventTracking

/// An outbox that keeps changes in memory if the disk fails, for example because it is full or read-only.
///
/// A commit writes the unsaved changes together with its own, or fails as a whole. Unsaved changes are read as if they
/// were stored. So acknowledged events are not sent again, and new events are delivered from memory.
package final class Outbox {
    /// The database, or `nil` if it cannot be read now.
    private var base: SQLiteOutbox?
    /// The reason for the missing database.
    private let failure: OutboxError
    /// The changes not yet on disk, as one, except decisions.
    package private(set) var unsaved: OutboxChange
    /// The decisions not yet on disk, as one.
    ///
    /// They are true with and without ``unsaved``, and are older than changes of the same rows there.
    package private(set) var refused: OutboxChange
    /// Whether segments below the start of their lanes may be left in the file, although nobody was denied.
    package var hasLeftovers = false

    /// Creates an outbox over a database.
    ///
    /// - Parameters:
    ///   - base: The database.
    ///   - other: The outbox whose unsaved changes it takes over.
    package init(_ base: SQLiteOutbox, keeping other: Outbox? = nil) {
        self.base = base
        failure = .notOpen
        (unsaved, refused) = (other?.unsaved ?? OutboxChange(), other?.refused ?? OutboxChange())
    }

    /// Creates an outbox whose contents cannot be read now.
    ///
    /// - Parameters:
    ///   - failure: The error of each call.
    ///   - other: The outbox whose unsaved changes it takes over.
    package init(unreadable failure: OutboxError, keeping other: Outbox? = nil) {
        self.failure = failure
        (unsaved, refused) = (other?.unsaved ?? OutboxChange(), other?.refused ?? OutboxChange())
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
    ///
    /// A row that only memory has had, and surely not the file, leaves nothing behind when it is deleted. A deleted
    /// segment below its lane's start leaves nothing behind either, because the row of the lane suffices. So memory
    /// stays small although a full queue is delivered.
    package func keep(_ change: OutboxChange) {
        let places = change.removedSegments.filter { place in
            unsaved.saves(place) && (try? base.map { try $0.segment(at: place) == nil }) == true
        }
        let keys = change.rows.compactMap { key, row in
            row == nil && unsaved.saves(key) && (try? base?.contains(key)) == false ? key : nil
        }
        unsaved.merge(change)
        for place in places { unsaved.forget(place) }
        for key in keys { unsaved.forget(key) }
        for lane in change.savedLanes where unsaved.forgetDeletions(below: lane.start, of: lane.number) {
            hasLeftovers = true
        }
    }

    /// The number and size in bytes of the events in memory.
    ///
    /// A deletion counts as an event.
    package var unsavedSize: (events: Int, bytes: Int) {
        unsaved.segments.values.reduce((0, 0)) { ($0.0 + ($1?.count ?? 1), $0.1 + ($1?.records.count ?? 0)) }
    }

    /// The lanes in the database by their number, without the unsaved changes, or `nil` if they cannot be read.
    package var storedLanes: [Int: StoredLane]? {
        (try? base?.lanes())?.keyed { ($0.number, $0) }
    }

    /// Returns the events held only in memory, pending and quarantined.
    ///
    /// - Parameter stored: The lanes in the database: ``storedLanes``.
    package func unsavedEvents(
        beyond stored: [Int: StoredLane]?
    ) -> (pending: [Segment], quarantined: [QuarantinedEvent]) {
        // A part of a stored segment has an earlier sequence number.
        let pending = unsaved.savedSegments.filter { $0.place.number >= stored?[$0.place.lane]?.nextNumber ?? 0 }
        return (pending, unsaved.savedQuarantined)
    }

    /// Applies a change in one transaction, together with the unsaved changes.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - barrier: Whether this and all earlier changes must survive a power loss.
    /// - Throws: The storage error. Nothing is changed then.
    package func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        let base = try database
        guard hasUnsaved else { return try base.commit(change, barrier: barrier) }
        var merged = refused
        merged.merge(unsaved)
        merged.merge(change)
        try base.commit(merged, barrier: barrier)
        (unsaved, refused) = (OutboxChange(), OutboxChange())
    }

    /// Whether there are unsaved changes.
    package var hasUnsaved: Bool { !unsaved.isEmpty || !refused.isEmpty }

    /// Whether the disk has refused decisions.
    package var hasRefused: Bool { !refused.isEmpty }

    /// Makes a decision valid in memory.
    ///
    /// The unsaved changes forget everything that it replaces. ``commitDecisions()`` must follow.
    ///
    /// - Parameter decision: The change, which has no segments and is true without the unsaved changes.
    package func decide(_ decision: OutboxChange) {
        unsaved.forget(decision)
        refused.merge(decision)
    }

    /// Stores the decisions without the other unsaved changes, which remain in memory.
    ///
    /// They survive a power loss.
    ///
    /// - Throws: The storage error. Nothing is changed then.
    package func commitDecisions() throws(OutboxError) {
        try database.commit(refused, barrier: true)
        refused = OutboxChange()
    }

    /// Deletes segments that are not in the queue.
    ///
    /// - Parameter places: Their places, which must have no unsaved change.
    /// - Throws: The storage error. Nothing is changed then.
    package func delete(_ places: [SegmentPlace]) throws(OutboxError) {
        var change = OutboxChange()
        for place in places { change.remove(place) }
        try database.commit(change, barrier: false)
    }

    /// Reads all rows of the database except the segments, without the unsaved changes.
    ///
    /// - Throws: The storage error.
    package func storedRows() throws(OutboxError) -> OutboxRows {
        try OutboxRows(of: database, completedBy: nil)
    }

    /// Stores the unsaved changes, if there are any, so they survive a power loss.
    ///
    /// - Throws: The storage error. The changes are kept then.
    package func storeUnsaved() throws(OutboxError) {
        if hasUnsaved { try commit(OutboxChange(), barrier: true) }
    }

    /// Returns the next segments of a lane's queue in order, without their records.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - place: The place after which to begin, or `nil` for the first segment.
    ///   - limit: The maximum number of summaries.
    /// - Returns: The summaries.
    /// - Throws: The storage error.
    package func summaries(
        of lane: StoredLane,
        after place: SegmentPlace?,
        limit: Int
    ) throws(OutboxError) -> [SegmentSummary] {
        let start = SegmentPlace(lane: lane.number, number: lane.start - 1)
        return try summaries(lane: lane.number, after: place.map { max($0, start) } ?? start, limit: limit)
    }

    /// Returns the next segments in order, also those that are in no queue, without their records.
    ///
    /// - Parameters:
    ///   - lane: The lane number, or `nil` for all lanes.
    ///   - place: The place after which to begin, or `nil` for the first segment.
    ///   - limit: The maximum number of summaries.
    /// - Returns: The summaries.
    /// - Throws: The storage error.
    package func summaries(
        lane: Int?,
        after place: SegmentPlace?,
        limit: Int
    ) throws(OutboxError) -> [SegmentSummary] {
        let base = try database
        guard !unsaved.segments.isEmpty else { return try base.summaries(lane: lane, after: place, limit: limit) }
        let more = limit.saturatingAdd(unsaved.segments.count)
        var found = try base.summaries(lane: lane, after: place, limit: more)
        found.removeAll { unsaved.segments.keys.contains($0.place) }
        found += unsaved.segments.values.lazy.compactMap { $0?.summary }.filter { summary in
            (lane == nil || summary.place.lane == lane) && place.map { summary.place > $0 } ?? true
        }
        return Array(found.sorted(by: \.place).prefix(limit))
    }

    /// Visits the segments of a lane's queue in order, without their records and in constant memory.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - start: The place after which to begin, or `nil` for the first segment.
    ///   - body: Receives each summary. It returns whether to continue.
    /// - Throws: The storage error, or the error of `body`.
    package func forEachSummary(
        of lane: StoredLane,
        after start: SegmentPlace? = nil,
        _ body: (SegmentSummary) throws(OutboxError) -> Bool
    ) throws(OutboxError) {
        var place = start
        // Most callers need the first segments only.
        var limit = 8
        while true {
            let page = try summaries(of: lane, after: place, limit: limit)
            for summary in page where !(try body(summary)) { return }
            guard let last = page.last else { return }
            place = last.place
            limit = min(limit * 4, 256)
        }
    }

    /// Returns a segment, or `nil` if it does not exist.
    package func segment(at place: SegmentPlace) throws(OutboxError) -> Segment? {
        if let changed = unsaved.segments[place] { return changed }
        return try database.segment(at: place)
    }

    /// Counts the events in a lane's queue.
    ///
    /// Reads every row of the queue.
    ///
    /// - Parameter lane: The lane.
    /// - Returns: The number and size of the events.
    /// - Throws: The storage error.
    package func recount(_ lane: StoredLane) throws(OutboxError) -> LaneCounts {
        var counts = LaneCounts()
        try forEachSummary(of: lane) { summary throws(OutboxError) in
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
            for lane in rows.lanes {
                try forEachSummary(of: lane) { summary throws(OutboxError) in
                    if let segment = try segment(at: summary.place) { try add(segment) }
                    return true
                }
            }
        }
    }

    /// Adds the unsaved segments to the replacement of a damaged file.
    ///
    /// - Parameter add: Receives each segment.
    /// - Throws: The error of `add`.
    package func forEachUnsavedSegment(_ add: (Segment) throws(OutboxError) -> Void) throws(OutboxError) {
        for segment in unsaved.savedSegments { try add(segment) }
    }

    /// Whether an unsaved change removes or replaces a stored segment.
    package func replaces(_ place: SegmentPlace) -> Bool { unsaved.segments.keys.contains(place) }

    /// Overwrites a failed commit before the unsaved changes are discarded.
    package func overwriteFailedCommit() {
        if hasUnsaved { base?.overwriteFailedCommit() }
    }

    /// Writes all changes to the file and closes the outbox.
    ///
    /// Unsaved changes are lost.
    ///
    /// No other call may follow.
    package func close() { base?.close() }

    /// Deletes the file, unless it was moved or replaced, and closes the outbox.
    ///
    /// No other call may follow.
    package func discard() { base?.discard() }
}

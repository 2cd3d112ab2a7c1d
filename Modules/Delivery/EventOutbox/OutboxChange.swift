import CSQLite
package import EventDeliveryAPI

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The contents of one transaction.
///
/// Removals are applied first, then the saved rows, so a segment can be replaced at its place. Ledgers and rows change
/// together, so the ledgers stay correct after a crash.
package struct OutboxChange: Sendable {
    package var segments = RowChanges<SegmentPlace, Segment>()
    package var batches = RowChanges<EventID, StoredBatch>()
    package var quarantined = RowChanges<EventID, QuarantinedEvent>()
    package var lanes = RowChanges<Int, StoredLane>()
    package var erasures = RowChanges<UInt64, ErasureRow>()
    package var decisions: [DecisionRow] = []
    package var state: PrivacyStateRow?

    package init() {}

    /// Whether the change is empty.
    package var isEmpty: Bool {
        segments.isEmpty && batches.isEmpty && quarantined.isEmpty && lanes.isEmpty && !decides
    }

    /// Whether the change stores a decision or an erasure, or completes one.
    package var decides: Bool { !decisions.isEmpty || !erasures.isEmpty || state != nil }

    /// Adds a lane's row, and replaces an earlier row of the same lane.
    ///
    /// - Parameter lane: The row.
    package mutating func save(_ lane: StoredLane) {
        lanes.saved.removeAll { $0.number == lane.number }
        lanes.saved.append(lane)
    }
}

/// The removed and the saved rows of one table.
package struct RowChanges<Key: Sendable, Row: Sendable>: Sendable {
    package var removed: [Key] = []
    package var saved: [Row] = []

    package var isEmpty: Bool { removed.isEmpty && saved.isEmpty }
}

/// All rows of an outbox except its segments.
package struct OutboxRows: Sendable {
    package var lanes: [StoredLane] = []
    package var batches: [StoredBatch] = []
    package var quarantined: [QuarantinedEvent] = []
    package var privacy = PrivacyRows()

    /// The maximum number of open batches used for each lane.
    ///
    /// The segments of further batches are leased again.
    private static let maximumBatches = 4_096

    package init() {}

    /// The change that writes all rows into an empty outbox.
    package var change: OutboxChange {
        var change = OutboxChange()
        change.lanes.saved = lanes
        change.batches.saved = batches
        change.quarantined.saved = quarantined
        change.erasures.saved = privacy.erasures
        change.decisions = privacy.decisions
        change.state = privacy.state
        return change
    }

    /// Whether there are no rows.
    package var isEmpty: Bool { lanes.isEmpty && quarantined.isEmpty && privacy.isEmpty }

    /// Whether an event exists: no denial and no pending erasure covers it.
    ///
    /// - Parameters:
    ///   - lane: The event's lane.
    ///   - user: The hash of its user.
    ///   - decision: Its decision number.
    package func exists(on lane: StoredLane, _ user: UserHash?, _ decision: UInt64) -> Bool {
        decision >= lane.void && !privacy.isErased(user, decision)
    }

    /// The greatest decision number of all rows.
    var number: UInt64 {
        (lanes.map(\.void) + quarantined.map(\.decision)).reduce(privacy.number) { max($0, $1) }
    }
}

extension OutboxRows {
    /// Reads all rows of an outbox except its segments.
    ///
    /// - Parameters:
    ///   - outbox: The outbox.
    ///   - checkpoint: The file's durability checkpoint, which completes its lanes.
    /// - Throws: `OutboxError.corrupt` if a segment belongs to no lane, or the storage error.
    package init(of outbox: SQLiteOutbox, completedBy checkpoint: DurabilityCheckpoint?) throws(OutboxError) {
        try outbox.checkCounts()
        privacy = try outbox.privacy()
        lanes = StoredLane.merging(try outbox.lanes(), with: checkpoint)
        // Events of a lane without a row must not be assigned to another lane.
        guard try outbox.holdsNothing(but: Set(lanes.map(\.number))) else { throw .corrupt }
        quarantined = try outbox.quarantined()
        if privacy.isStateLost { privacy.state.number = max(number, try outbox.greatestDecision()) }
        let known = Dictionary(grouping: try outbox.batches(), by: \.lane)
        for index in lanes.indices {
            // If the lane's row is older than the segments, no sequence number must be assigned twice.
            if let last = try outbox.lastSummary(lane: lanes[index].number) {
                let next = last.place.number + Int64(max(1, last.count))
                lanes[index].nextNumber = max(lanes[index].nextNumber, next)
            }
            batches += known[lanes[index].number, default: []].prefix(OutboxRows.maximumBatches)
        }
        privacy.compare(with: checkpoint)
    }
}

extension OutboxError {
    /// The error for a missing directory.
    package static let missing = OutboxError.unavailable(code: ENOENT)

    /// The error for a directory with a queue file, although it must be empty.
    package static let occupied = OutboxError.unavailable(code: EEXIST)

    /// The error for a failed sync.
    static let failedSync = OutboxError.failed(code: SQLITE_IOERR | (4 << 8))

    /// Whether a sync failed.
    ///
    /// The contents on disk are unknown then, and a second sync would not report the loss.
    package var isFailedSync: Bool {
        guard case .failed(let code) = self else { return false }
        return [SQLITE_IOERR | (4 << 8), SQLITE_IOERR | (5 << 8)].contains(code)
    }

    /// Returns the error for an `errno` value.
    static func system(_ code: Int32) -> OutboxError {
        code == ENOSPC || code == EDQUOT ? .full : .unavailable(code: code)
    }
}

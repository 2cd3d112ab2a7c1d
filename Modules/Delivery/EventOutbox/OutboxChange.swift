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

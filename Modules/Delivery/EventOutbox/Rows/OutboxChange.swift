import CLibrary
import CSQLite
import CoreTracker
package import EventTracking

/// The contents of one transaction: the new value of each changed row, or `nil` for a deleted one.
///
/// Ledgers and rows change together, so the ledgers stay correct after a crash. The values are final, so a change can be
/// written twice, and consecutive changes can be written as one.
package struct OutboxChange: Sendable {
    package private(set) var segments: [SegmentPlace: Segment?] = [:]
    private(set) var rows: [RowKey: (any OutboxRow)?] = [:]
    /// The numbers of the lanes whose quarantined events are deleted first, also those not known in memory.
    private(set) var emptied: Set<Int> = []

    package init() {}

    /// Whether the change is empty.
    package var isEmpty: Bool { segments.isEmpty && rows.isEmpty && emptied.isEmpty }

    /// Whether the change stores a decision or an erasure, or completes one.
    package var decides: Bool { rows.keys.contains { $0.table == .state } }

    /// Adds a later change, whose values replace earlier ones.
    package mutating func merge(_ later: OutboxChange) {
        for lane in later.emptied { forgetRows(of: lane) }
        emptied.formUnion(later.emptied)
        segments.merge(later.segments) { $1 }
        rows.merge(later.rows) { $1 }
    }

    package mutating func save(_ segment: Segment) { segments[segment.place] = .some(segment) }
    package mutating func save(_ lane: StoredLane) { rows[RowKey(lane)] = .some(lane) }
    package mutating func save(_ state: StateRow) { rows[RowKey(state)] = .some(state) }

    /// Adds a quarantined event of the lane with a number.
    package mutating func save(_ event: QuarantinedEvent, lane: Int) {
        let row = QuarantineRow(lane: lane, event: event)
        rows[RowKey(row)] = .some(row)
    }

    package mutating func remove(_ place: SegmentPlace) { segments[place] = .some(nil) }
    package mutating func remove(_ lane: StoredLane) { rows[RowKey(lane)] = .some(nil) }

    /// Removes the row of the state, as damage does.
    mutating func removeState() { rows[RowKey(StateRow())] = .some(nil) }

    /// Removes a quarantined event of the lane with a number.
    package mutating func remove(_ event: QuarantinedEvent, lane: Int) {
        rows[RowKey(QuarantineRow(lane: lane, event: event))] = .some(nil)
    }

    /// Deletes all quarantined events of a lane, and saves its row, from whose start the lane continues.
    package mutating func empty(_ lane: StoredLane) {
        forgetRows(of: lane.number)
        emptied.insert(lane.number)
        save(lane)
    }

    private mutating func forgetRows(of lane: Int) { for key in rows.keys where key.lane == lane { forget(key) } }

    /// Removes the values that a decision replaces: its rows, and everything that its emptied lanes have lost.
    mutating func forget(_ decision: OutboxChange) {
        for key in decision.rows.keys { rows[key] = nil }
        for lane in decision.savedLanes where decision.emptied.contains(lane.number) {
            forgetRows(of: lane.number)
            for place in segments.keys where place.lane == lane.number && place.number < lane.start { forget(place) }
        }
    }

    /// Removes the deletions of a lane's segments below a sequence number from the change.
    ///
    /// Returns whether there were any.
    mutating func forgetDeletions(below start: Int64, of lane: Int) -> Bool {
        let gone = removedSegments.filter { $0.lane == lane && $0.number < start }
        for place in gone { segments[place] = nil }
        return !gone.isEmpty
    }

    /// Whether a segment is new or replaced.
    func saves(_ place: SegmentPlace) -> Bool { segments[place]?.map { _ in true } ?? false }
    /// Whether a row is new or replaced.
    func saves(_ key: RowKey) -> Bool { rows[key]?.map { _ in true } ?? false }

    /// Removes a segment from the change, as if it had not changed.
    mutating func forget(_ place: SegmentPlace) { segments[place] = nil }
    /// Removes a row from the change, as if it had not changed.
    mutating func forget(_ key: RowKey) { rows[key] = nil }

    /// The new segments, in the order of their places.
    package var savedSegments: [Segment] { segments.values.compactMap(\.self).sorted(by: \.place) }
    /// The places of the deleted segments, in order.
    package var removedSegments: [SegmentPlace] {
        segments.compactMap { place, segment in segment == nil ? place : nil }.sorted(by: \.self)
    }
    /// The new rows of lanes, in the order of their numbers.
    package var savedLanes: [StoredLane] { saved(.lane).compactMap { $0 as? StoredLane } }
    /// The new rows of quarantined events.
    package var savedQuarantined: [QuarantinedEvent] { saved(.quarantine).compactMap { ($0 as? QuarantineRow)?.event } }
    /// The ids of the events that leave the quarantine.
    package var removedQuarantined: [EventID] {
        rows.compactMap { key, row in key.table == .quarantine && row == nil ? key.id : nil }
    }
    /// The row of the state, if it is new.
    package var savedState: StateRow? { saved(.state).first as? StateRow }

    /// Returns the new rows of a table, in the order of their keys.
    private func saved(_ table: RowTable) -> [any OutboxRow] {
        rows.keys.filter { $0.table == table }.sorted(by: \.self).compactMap { rows[$0] ?? nil }
    }
}

/// The table and the key of a row.
struct RowKey: Hashable, Comparable {
    let table: RowTable
    let key: [UInt8]

    init(_ row: any OutboxRow) { (table, key) = (type(of: row).table, row.rowKey) }

    /// The number of the lane to which a quarantined event belongs, or `nil` for another row.
    var lane: Int? { table == .quarantine ? LaneKey(key)?.lane : nil }

    /// The id in the key of a quarantined event.
    var id: EventID? { LaneKey(key)?.id }

    static func < (left: RowKey, right: RowKey) -> Bool {
        left.table == right.table
            ? left.key.lexicographicallyPrecedes(right.key) : left.table.name < right.table.name
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

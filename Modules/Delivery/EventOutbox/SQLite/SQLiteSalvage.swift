import CSQLite
import CoreTracker
package import EventTracking

/// A reader for a damaged outbox file.
///
/// It reads each readable row and each record with a correct checksum. Of the segments, only the keys stay in memory.
/// It never changes or deletes the file.
package final class SQLiteSalvage {
    private let connection: SQLiteConnection
    private let skipsUnreadable: Bool

    /// Opens a file that no connection has open.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - skipsUnreadable: Whether unreadable parts are skipped like damaged parts.
    /// - Throws: `OutboxError.foreign` if it is not a regular file of this user, or the storage error.
    package init(path: String, skipsUnreadable: Bool = false) throws(OutboxError) {
        connection = try SQLiteConnection(path: path, forSalvage: true)
        self.skipsUnreadable = skipsUnreadable
        do throws(OutboxError) {
            try tolerating { () throws(OutboxError) in
                try connection.execute("PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_master")
            }
        } catch {
            connection.close()
            throw error
        }
    }

    deinit {
        connection.close()
    }

    /// Reads all rows except the segments.
    ///
    /// - Parameter checkpoint: The file's durability checkpoint, which completes its lanes.
    /// - Returns: The valid rows.
    /// - Throws: The error of the device if a part cannot be read and unreadable parts are not skipped. It does not
    ///   mean that the file is damaged.
    package func rows(completedBy checkpoint: DurabilityCheckpoint?) throws(OutboxError) -> OutboxRows {
        var rows = OutboxRows()
        let lanes = try self.rows(of: StoredLane.self).compactMap { $0 as? StoredLane }
        rows.lanes = StoredLane.merging(lanes, with: checkpoint)
        rows.use(
            try self.rows(of: StateRow.self).first as? StateRow,
            try self.rows(of: QuarantineRow.self).compactMap { $0 as? QuarantineRow }.sorted(by: \.event.time),
            checkpoint
        )
        return rows
    }

    /// Passes each readable segment to a closure, once.
    ///
    /// A file that was damaged while it was rewritten can have the same segments in both tables.
    ///
    /// - Parameter body: Receives a segment, whose records may be damaged.
    /// - Throws: The error of the device, or the error of `body`.
    package func forEachSegment(_ body: (Segment) throws(OutboxError) -> Void) throws(OutboxError) {
        var known: Set<SegmentPlace> = []
        for table in [SQLiteTable.segment, .moved] {
            for place in try places(of: table).subtracting(known).sorted(by: \.self) {
                guard let segment = try segment(at: place, in: table) else { continue }
                known.insert(place)
                try body(segment)
            }
        }
    }

    /// Returns the places of a table's segments, without reading their records.
    ///
    /// It reads from both ends, because one damaged page hides the rows behind it. Damage may also lead back to earlier
    /// rows.
    private func places(of table: SQLiteTable) throws(OutboxError) -> Set<SegmentPlace> {
        var places: Set<SegmentPlace> = []
        for order in ["ASC", "DESC"] {
            try tolerating { () throws(OutboxError) in
                guard try isStoredTable(table.name) else { return }
                let statement = try connection.statement("SELECT place FROM \(table.name) ORDER BY place \(order)")
                defer { statement.reset() }
                while try statement.step() {
                    guard places.insert(SegmentPlace(rawValue: statement.integer(0))).inserted else { return }
                }
            }
        }
        return places
    }

    private func segment(at place: SegmentPlace, in table: SQLiteTable) throws(OutboxError) -> Segment? {
        var segment: Segment?
        try tolerating { () throws(OutboxError) in
            let statement = try connection.statement("SELECT \(table.columns) FROM \(table.name) WHERE place = ?")
            defer { statement.reset() }
            try statement.bind([.integer(place.rawValue)])
            if try statement.step() { segment = SQLiteOutbox.segment(in: statement) }
        }
        return segment
    }

    /// Returns the readable rows of a table in the order of their keys.
    ///
    /// It reads from both ends, because one damaged page hides the rows behind it.
    private func rows(of type: any OutboxRow.Type) throws(OutboxError) -> [any OutboxRow] {
        var found: [RowKey: any OutboxRow] = [:]
        for order in ["ASC", "DESC"] {
            try tolerating { () throws(OutboxError) in
                guard try isStoredTable(type.table.name) else { return }
                try connection.forEach(type, order: order) { found[RowKey($0)] = $0 }
            }
        }
        return found.sorted(by: \.key).map(\.value)
    }

    /// Whether a name belongs to a table with stored columns only.
    ///
    /// A view, a virtual table or a computed column would run SQL from the file.
    private func isStoredTable(_ name: String) throws(OutboxError) -> Bool {
        let found = try connection.integer(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = '\(name)'"
        )
        let computed = try connection.integer("SELECT count(*) FROM pragma_table_xinfo('\(name)') WHERE hidden <> 0")
        return found == 1 && computed == 0
    }

    /// Runs a read, and ignores damage.
    ///
    /// A damaged file may lack a table.
    private func tolerating(_ body: () throws(OutboxError) -> Void) throws(OutboxError) {
        do throws(OutboxError) {
            try body()
        } catch .corrupt {
        } catch .failed(SQLITE_ERROR) {
        } catch .failed(let code) where skipsUnreadable && code & 0xFF == SQLITE_IOERR {
        }
    }
}

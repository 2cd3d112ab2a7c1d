import CoreTracker
package import EventTracking

extension SQLiteOutbox {
    /// Returns the first and the last possible place of a lane.
    private func places(of lane: Int) -> (first: SQLiteValue, last: SQLiteValue) {
        (.integer(SegmentPlace(lane: lane, number: 0).rawValue), .integer(SegmentPlace.last(of: lane).rawValue))
    }

    /// Returns the rows of all lanes.
    package func lanes() throws(OutboxError) -> [StoredLane] { try connection.rows(of: StoredLane.self) }

    /// Returns the next segments of a lane in order, without their records.
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
        let condition = "place > ?1 AND place <= ?2"
        let statement = try connection.statement(
            segments.query(SQLiteTable.summary, where: condition, "ORDER BY place LIMIT ?3")
        )
        defer { statement.reset() }
        let range = lane.map { places(of: $0) } ?? (.integer(.min), .integer(.max))
        try statement.bind([
            place.map { .integer($0.rawValue) } ?? range.first, range.last, .integer(Int64(limit)),
        ])
        var summaries: [SegmentSummary] = []
        while try statement.step() {
            let summary = SQLiteOutbox.summary(in: statement)
            // A damaged B-tree may contain the same page twice.
            guard summaries.last.map({ $0.place < summary.place }) ?? true else { throw .corrupt }
            summaries.append(summary)
        }
        return summaries
    }

    /// Returns a segment, or `nil` if it does not exist.
    package func segment(at place: SegmentPlace) throws(OutboxError) -> Segment? {
        let statement = try connection.statement(
            segments.query(SQLiteTable.segment.columns, where: "place = ?1", "LIMIT 1")
        )
        defer { statement.reset() }
        try statement.bind([.integer(place.rawValue)])
        return try statement.step() ? SQLiteOutbox.segment(in: statement) : nil
    }

    /// Whether there is a row with a key.
    func contains(_ key: RowKey) throws(OutboxError) -> Bool {
        let statement = try connection.statement("SELECT 1 FROM \(key.table.name) WHERE key = ?1 LIMIT 1")
        defer { statement.reset() }
        try statement.bind([.blob(key.key)])
        return try statement.step()
    }

    /// Returns the last segment of a lane.
    package func lastSummary(lane: Int) throws(OutboxError) -> SegmentSummary? {
        let statement = try connection.statement(
            segments.query(SQLiteTable.summary, where: "place BETWEEN ?1 AND ?2", "ORDER BY place DESC LIMIT 1")
        )
        defer { statement.reset() }
        let range = places(of: lane)
        try statement.bind([range.first, range.last])
        return try statement.step() ? SQLiteOutbox.summary(in: statement) : nil
    }

    /// Whether every segment belongs to one of the given lanes.
    ///
    /// It reads one segment for each lane.
    func holdsNothing(but lanes: Set<Int>) throws(OutboxError) -> Bool {
        var start = SegmentPlace(rawValue: .min)
        while true {
            let statement = try connection.statement(
                segments.query("place", where: "place >= ?1", "ORDER BY place LIMIT 1")
            )
            defer { statement.reset() }
            try statement.bind([.integer(start.rawValue)])
            guard try statement.step() else { return true }
            let found = SegmentPlace(rawValue: statement.integer(0))
            // A damaged B-tree may lead back to earlier rows.
            guard found >= start, lanes.contains(found.lane) else { return false }
            start = SegmentPlace(lane: found.lane + 1, number: 0)
        }
    }

    /// Returns the quarantined events, oldest first, each with the number of its lane.
    func quarantined() throws(OutboxError) -> [QuarantineRow] {
        try connection.rows(of: QuarantineRow.self).sorted(by: \.event.time)
    }

    /// Returns the row of the state, or `nil` if it is damaged or missing.
    package func state() throws(OutboxError) -> StateRow? { try connection.rows(of: StateRow.self).first }
}

// The rows of segments are converted after their checksum and the range of each number have been checked.

extension SQLiteOutbox {
    /// Returns the summary of the current row's segment, which ends with the length of its records.
    ///
    /// Its count is 0 if it is damaged.
    static func summary(in statement: SQLiteStatement) -> SegmentSummary {
        var row = SQLiteRow(statement)
        var summary = summary(&row)
        if summary.bytes != row.int() { summary.forget() }
        return summary
    }

    private static func summary(_ row: inout SQLiteRow) -> SegmentSummary {
        let (place, decision) = (row.integer(), row.number())
        let (priority, count, bytes) = (row.int(), row.int(), row.int())
        let moment = StoredMoment(
            wall: Timestamp(microseconds: row.integer()),
            monotonic: MonotonicInstant(nanoseconds: row.integer()),
            boot: row.uint32()
        )
        var summary = SegmentSummary(
            place: SegmentPlace(rawValue: place),
            priority: TrackOptions.Priority(rawValue: priority) ?? .normal,
            key: "",
            user: UserHash(column: row.integer()),
            decision: decision,
            stored: moment,
            count: count,
            bytes: bytes
        )
        summary.key = row.text()
        if Int64(summary.checksum) != row.integer() || !summary.isPossible { summary.forget() }
        return summary
    }

    /// Returns the segment of the current row.
    ///
    /// If its columns are damaged, its count is the number of its valid records plus one, so callers detect the damage.
    static func segment(in statement: SQLiteStatement) -> Segment {
        var row = SQLiteRow(statement)
        let summary = summary(&row)
        var segment = Segment(
            place: summary.place,
            priority: summary.priority,
            key: summary.key,
            user: summary.user,
            decision: summary.decision,
            stored: summary.stored,
            count: summary.count,
            records: row.blob()
        )
        if summary.count == 0 || summary.bytes != segment.records.count { segment.count = segment.read().count + 1 }
        return segment
    }
}

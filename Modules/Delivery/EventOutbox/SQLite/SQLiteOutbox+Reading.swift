package import CoreTracker
package import EventBuffer

extension SQLiteOutbox {
    /// The maximum number of open batches of a lane that are read.
    ///
    /// The segments of further batches are leased again.
    private static let maximumBatches = 4_096
    /// The maximum number of entries in the table `meta` that are read.
    private static let maximumNotes = 65_536

    /// Returns the first and the last possible place of a lane.
    func places(of lane: Int) -> (first: SQLiteValue, last: SQLiteValue) {
        (.integer(SegmentPlace(lane: lane, number: 0).rawValue), .integer(SegmentPlace.last(of: lane).rawValue))
    }

    package func lanes() throws(OutboxError) -> [StoredLane] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.lane.columns) FROM lane ORDER BY number LIMIT \(StoredLane.most)",
            readsTexts: true
        )
        defer { statement.reset() }
        var lanes: [StoredLane] = []
        while try statement.step() {
            if let lane = SQLiteOutbox.lane(in: statement) { lanes.append(lane) }
        }
        return lanes
    }

    package func batches(lane: Int) throws(OutboxError) -> [StoredBatch] {
        let statement = try connection.statement(
            """
            SELECT \(SQLiteTable.batch.columns) FROM batch WHERE first BETWEEN ? AND ?
            ORDER BY id LIMIT \(SQLiteOutbox.maximumBatches)
            """
        )
        defer { statement.reset() }
        let range = places(of: lane)
        try statement.bind([range.first, range.last])
        var batches: [StoredBatch] = []
        // A damaged batch is skipped. Its segments are leased again, under a new batch ID.
        while try statement.step() {
            if let batch = SQLiteOutbox.batch(in: statement), batch.lane == lane { batches.append(batch) }
        }
        return batches.sorted { $0.precedes($1) }
    }

    package func summaries(lane: Int, after place: SegmentPlace?, limit: Int) throws(OutboxError) -> [SegmentSummary] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.measuredSummary) FROM segment WHERE place > ? AND place <= ? ORDER BY place LIMIT ?",
            readsTexts: true
        )
        defer { statement.reset() }
        let range = places(of: lane)
        try statement.bind([place.map { .integer($0.rawValue) } ?? range.first, range.last, .integer(Int64(limit))])
        var summaries: [SegmentSummary] = []
        while try statement.step() {
            let summary = SQLiteOutbox.measuredSummary(in: statement)
            // A damaged B-tree may contain the same page twice.
            guard summaries.last.map({ $0.place < summary.place }) ?? true else { throw .corrupt }
            summaries.append(summary)
        }
        return summaries
    }

    package func segment(at place: SegmentPlace) throws(OutboxError) -> Segment? {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.segment.columns) FROM segment WHERE place = ?"
        )
        defer { statement.reset() }
        try statement.bind([.integer(place.rawValue)])
        return try statement.step() ? SQLiteOutbox.segment(in: statement) : nil
    }

    package func heldSegments(lane: Int) throws(OutboxError) -> [Segment] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.held.columns) FROM held WHERE place BETWEEN ? AND ? ORDER BY place"
        )
        defer { statement.reset() }
        let range = places(of: lane)
        try statement.bind([range.first, range.last])
        var segments: [Segment] = []
        while try statement.step() { segments.append(SQLiteOutbox.segment(in: statement)) }
        return segments
    }

    package func lastSummary(lane: Int) throws(OutboxError) -> SegmentSummary? {
        var last: SegmentSummary?
        for table in Table.allCases {
            let statement = try connection.statement(
                """
                SELECT \(SQLiteTable.measuredSummary) FROM \(table) WHERE place BETWEEN ? AND ?
                ORDER BY place DESC LIMIT 1
                """,
                readsTexts: true
            )
            defer { statement.reset() }
            let range = places(of: lane)
            try statement.bind([range.first, range.last])
            guard try statement.step() else { continue }
            let found = SQLiteOutbox.measuredSummary(in: statement)
            if last.map({ $0.place < found.place }) ?? true { last = found }
        }
        return last
    }

    /// Whether every segment belongs to one of the given lanes.
    ///
    /// It reads one segment per lane.
    func holdsNothing(but lanes: Set<Int>) throws(OutboxError) -> Bool {
        for table in Table.allCases {
            var start = SegmentPlace(rawValue: .min)
            while true {
                let statement = try connection.statement(
                    "SELECT place FROM \(table) WHERE place >= ? ORDER BY place LIMIT 1"
                )
                defer { statement.reset() }
                try statement.bind([.integer(start.rawValue)])
                guard try statement.step() else { break }
                let found = SegmentPlace(rawValue: statement.integer(0))
                // A damaged B-tree may lead back to earlier rows.
                guard found >= start, lanes.contains(found.lane) else { return false }
                start = SegmentPlace(lane: found.lane + 1, number: 0)
            }
        }
        return true
    }

    /// Returns the entries of the table `meta`.
    func notes() throws(OutboxError) -> [String: String] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.meta.columns) FROM meta LIMIT \(SQLiteOutbox.maximumNotes)",
            readsTexts: true
        )
        defer { statement.reset() }
        var notes: [String: String] = [:]
        while try statement.step() { SQLiteOutbox.note(in: statement, into: &notes) }
        return notes
    }

    /// Adds the entry of the current row, unless it is damaged.
    static func note(in statement: SQLiteStatement, into notes: inout [String: String]) {
        guard let key = statement.text(0), let value = statement.text(1) else { return }
        notes[key] = value
    }

    package func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent] {
        let statement = try connection.statement(
            """
            SELECT \(SQLiteTable.quarantine.columns) FROM quarantine
            WHERE ?1 IS NULL OR (product = ?1 AND service = ?2) ORDER BY number LIMIT ?3
            """
        )
        defer { statement.reset() }
        try statement.bind([
            lane.map { .text($0.product) } ?? .null, lane.map { .text($0.service) } ?? .null, .integer(Int64(limit)),
        ])
        var events: [QuarantinedEvent] = []
        while try statement.step() {
            if let event = SQLiteOutbox.quarantined(in: statement) { events.append(event) }
        }
        return events
    }
}

// The rows of each table are converted after their checksum and the range of each number have been checked.

extension SQLiteOutbox {
    /// Returns the lane of the current row.
    ///
    /// If the row is damaged, ``StoredLane/isDamaged`` is set and its ledger must not be used. Returns `nil` if the
    /// lane itself is unreadable.
    static func lane(in statement: SQLiteStatement) -> StoredLane? {
        var row = SQLiteRow(statement)
        let (number, product, service) = (row.int(), row.name(), row.name())
        guard !row.isTooLong else { return nil }
        var lane = StoredLane(number: number, id: LaneID(product: product, service: service))
        guard lane.isPossible else { return nil }
        let checksum = read(&row, into: &lane)
        if Int64(lane.checksum) == checksum, !row.isTooLong, lane.isPossible {
            lane.clamp()
            return lane
        }
        var damaged = StoredLane(number: number, id: lane.id)
        damaged.isDamaged = true
        return damaged
    }

    /// Reads the columns after the lane's name.
    ///
    /// Returns the stored checksum.
    private static func read(_ row: inout SQLiteRow, into lane: inout StoredLane) -> Int64 {
        lane.ledger.accepted = row.int()
        lane.ledger.delivered = row.int()
        lane.ledger.quarantined = row.int()
        lane.readDropped(row.text())
        lane.readAdjusted(row.text())
        lane.nextNumber = row.integer()
        lane.learnedBodyBytes = row.int()
        lane.retryState.remaining = .nanoseconds(row.integer())
        lane.retryState.read(reasonText: row.name())
        lane.retryState.failures = row.int()
        lane.retryState.noted = MonotonicInstant(nanoseconds: row.integer())
        lane.retryState.boot = row.uint32()
        let success = row.integer()
        lane.lastSuccess = success == 0 ? nil : Timestamp(microseconds: success)
        let checksum = row.integer()
        lane.purpose = row.name()
        lane.lastFailure = StoredFailure(text: row.name())
        return checksum
    }

    /// Returns the batch of the current row, or `nil` if it is damaged.
    static func batch(in statement: SQLiteStatement) -> StoredBatch? {
        var row = SQLiteRow(statement)
        let id = EventID(bytes: row.blob())
        _ = row.integer()  // the first segment, which is the key that batches are found by
        let batch = StoredBatch(
            id: id ?? EventID(high: 0, low: 0),
            segments: StoredBatch.places(in: row.blob()),
            attempts: row.int(),
            suspicion: StoredBatch.Suspicion(rawValue: row.int()) ?? .none
        )
        return id != nil && Int64(batch.checksum) == row.integer() && batch.isPossible ? batch : nil
    }

    /// Returns the summary of the current row's segment.
    ///
    /// Its count is 0 if it is damaged.
    static func summary(in statement: SQLiteStatement) -> SegmentSummary {
        var row = SQLiteRow(statement)
        return summary(&row)
    }

    /// Returns the summary of the current row, which also contains the length of its records.
    ///
    /// The count is 0 if the length disagrees.
    static func measuredSummary(in statement: SQLiteStatement) -> SegmentSummary {
        var row = SQLiteRow(statement)
        var summary = summary(&row)
        if summary.bytes != row.int() { summary.forget() }
        return summary
    }

    private static func summary(_ row: inout SQLiteRow) -> SegmentSummary {
        let (place, priority, count, bytes) = (row.integer(), row.int(), row.int(), row.int())
        let moment = StoredMoment(
            wall: Timestamp(microseconds: row.integer()),
            monotonic: MonotonicInstant(nanoseconds: row.integer()),
            boot: row.uint32()
        )
        let (key, user) = UserHash.parts(of: row.text())
        var summary = SegmentSummary(
            place: SegmentPlace(rawValue: place),
            priority: TrackOptions.Priority(rawValue: priority) ?? .normal,
            key: key,
            user: user,
            stored: moment,
            count: count,
            bytes: bytes
        )
        if Int64(summary.checksum) != row.integer() || row.isTooLong || !summary.isPossible { summary.forget() }
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
            stored: summary.stored,
            count: summary.count,
            records: row.blob()
        )
        if summary.count == 0 || summary.bytes != segment.records.count { segment.count = segment.read().count + 1 }
        return segment
    }

    /// Returns the quarantined event of the current row, or `nil` if it is damaged.
    static func quarantined(in statement: SQLiteStatement) -> QuarantinedEvent? {
        var row = SQLiteRow(statement)
        let id = EventID(bytes: row.blob())
        let lane = LaneID(product: row.name(), service: row.name())
        let (reason, response, time) = (row.text(), row.text(), row.integer())
        let ((key, user), checksum) = (UserHash.parts(of: row.text()), row.integer())
        let event = QuarantinedEvent(
            id: id ?? EventID(high: 0, low: 0),
            lane: lane,
            reason: reason,
            response: response,
            time: Timestamp(microseconds: time),
            fragment: row.blob(),
            key: key,
            user: user
        )
        let isSound = id != nil && Int64(event.checksum) == checksum && !row.isTooLong && event.time.isPossible
        return isSound ? event : nil
    }
}

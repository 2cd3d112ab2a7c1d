import CoreTracker
package import EventBuffer

extension SQLiteOutbox {
    /// The maximum number of open batches of a lane that are read.
    ///
    /// The segments of further batches are leased again.
    private static let maximumBatches = 4_096

    /// Checks, before any row is read, that no table has more rows than this library writes.
    ///
    /// - Throws: `OutboxError.corrupt` if a table has more, or the storage error.
    func checkCounts() throws(OutboxError) {
        for table in SQLiteTable.read {
            let rows = "SELECT 1 FROM \(table.name) LIMIT \(table.maximumRows + 1)"
            let count = try connection.integer("SELECT count(*) FROM (\(rows))")
            guard count <= Int64(table.maximumRows) else { throw .corrupt }
        }
    }

    /// Returns the first and the last possible place of a lane.
    private func places(of lane: Int) -> (first: SQLiteValue, last: SQLiteValue) {
        (.integer(SegmentPlace(lane: lane, number: 0).rawValue), .integer(SegmentPlace.last(of: lane).rawValue))
    }

    /// Returns the rows of all lanes.
    package func lanes() throws(OutboxError) -> [StoredLane] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.lane.columns) FROM lane ORDER BY number LIMIT \(StoredLane.maximum)",
            readsTexts: true
        )
        defer { statement.reset() }
        var lanes: [StoredLane] = []
        while try statement.step() {
            if let lane = SQLiteOutbox.lane(in: statement) { lanes.append(lane) }
        }
        return lanes
    }

    /// Returns the open batches of a lane, ordered by their first segment.
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
        // A damaged batch is skipped. Its segments are leased again, under a new batch id.
        while try statement.step() {
            if let batch = SQLiteOutbox.batch(in: statement), batch.lane == lane { batches.append(batch) }
        }
        return batches.sorted { $0.precedes($1) }
    }

    /// Returns the next segments of a lane in order, without their records.
    ///
    /// - Parameters:
    ///   - lane: The lane number, or `nil` for all lanes.
    ///   - place: The place after which to begin, or `nil` for the first segment.
    ///   - void: The decision number below which segments are left out.
    ///   - limit: The maximum number of summaries.
    /// - Returns: The summaries.
    /// - Throws: The storage error.
    package func summaries(
        lane: Int?,
        after place: SegmentPlace?,
        void: UInt64 = 0,
        limit: Int
    ) throws(OutboxError) -> [SegmentSummary] {
        let condition = "place > ?1 AND place <= ?2 AND decision >= ?3"
        let statement = try connection.statement(
            segments.query(SQLiteTable.summary, where: condition, "ORDER BY place LIMIT ?4"),
            readsTexts: true
        )
        defer { statement.reset() }
        let range = lane.map { places(of: $0) } ?? (.integer(.min), .integer(.max))
        try statement.bind([
            place.map { .integer($0.rawValue) } ?? range.first, range.last, .integer(Int64(clamping: void)),
            .integer(Int64(limit)),
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

    /// Returns the last segment of a lane.
    package func lastSummary(lane: Int) throws(OutboxError) -> SegmentSummary? {
        let statement = try connection.statement(
            segments.query(SQLiteTable.summary, where: "place BETWEEN ?1 AND ?2", "ORDER BY place DESC LIMIT 1"),
            readsTexts: true
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

    /// Returns the greatest decision number that any segment carries.
    ///
    /// Reads every segment.
    func greatestDecision() throws(OutboxError) -> UInt64 {
        // A segment with a greater decision number is damaged, so its number is not used.
        let condition = "decision <= \(PrivacyRows.greatestNumber)"
        var greatest: Int64 = 0
        for table in segments.used {
            let found = try connection.integer("SELECT max(decision) FROM \(table.name) WHERE \(condition)")
            greatest = max(greatest, found)
        }
        return UInt64(clamping: greatest)
    }

    /// Returns the quarantined events, oldest first.
    package func quarantined() throws(OutboxError) -> [QuarantinedEvent] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.quarantine.columns) FROM quarantine ORDER BY position"
        )
        defer { statement.reset() }
        var events: [QuarantinedEvent] = []
        while try statement.step() {
            if let event = SQLiteOutbox.quarantined(in: statement) { events.append(event) }
        }
        return events
    }

    /// Returns the decisions, the pending erasures and the state.
    package func privacy() throws(OutboxError) -> PrivacyRows {
        var rows = PrivacyRows()
        let state = try connection.statement("SELECT \(SQLiteTable.state.columns) FROM state LIMIT 1", readsTexts: true)
        defer { state.reset() }
        rows.isStateLost = true
        if try state.step(), let found = SQLiteOutbox.state(in: state) {
            (rows.state, rows.isStateLost) = (found, false)
        }
        let decisions = try connection.statement(
            "SELECT \(SQLiteTable.decision.columns) FROM decision ORDER BY purpose",
            readsTexts: true
        )
        defer { decisions.reset() }
        while try decisions.step() {
            if let decision = SQLiteOutbox.decision(in: decisions) { rows.decisions.append(decision) }
        }
        let erasures = try connection.statement("SELECT \(SQLiteTable.erasure.columns) FROM erasure ORDER BY number")
        defer { erasures.reset() }
        while try erasures.step() {
            if let erasure = SQLiteOutbox.erasure(in: erasures) { rows.erasures.append(erasure) }
        }
        return rows
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
        lane.purpose = row.name()
        lane.ledger.accepted = row.int()
        lane.ledger.delivered = row.int()
        lane.ledger.quarantined = row.int()
        lane.readDropped(row.text())
        lane.readAdjusted(row.text())
        lane.nextNumber = row.integer()
        lane.void = row.number()
        lane.counts.events = (0..<3).map { _ in row.int() }
        lane.counts.bytes = row.int()
        lane.learnedBodyBytes = row.int()
        lane.retryState.remaining = .nanoseconds(row.integer())
        lane.retryState.read(reasonText: row.name())
        lane.retryState.failures = row.int()
        lane.retryState.noted = MonotonicInstant(nanoseconds: row.integer())
        lane.retryState.boot = row.uint32()
        let success = row.integer()
        lane.lastSuccess = success == 0 ? nil : Timestamp(microseconds: success)
        lane.lastFailure = StoredFailure(text: row.name())
        return row.integer()
    }

    /// Returns the batch of the current row, or `nil` if it is damaged.
    static func batch(in statement: SQLiteStatement) -> StoredBatch? {
        var row = SQLiteRow(statement)
        let id = EventID(bytes: row.blob())
        _ = row.integer()  // the first segment, which is the key that batches are found by
        let batch = StoredBatch(
            id: id ?? EventID(high: 0, low: 0),
            segments: StoredBatch.places(in: row.blob()),
            attempts: row.int()
        )
        return id != nil && Int64(batch.checksum) == row.integer() && batch.isPossible ? batch : nil
    }

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
            user: UserHash(rawValue: UInt64(bitPattern: row.integer())),
            decision: decision,
            stored: moment,
            count: count,
            bytes: bytes
        )
        summary.key = row.text()
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
            decision: summary.decision,
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
        let (decision, user) = (row.number(), UserHash(rawValue: UInt64(bitPattern: row.integer())))
        let (reason, response, time, key) = (row.text(), row.text(), row.integer(), row.text())
        let checksum = row.integer()
        let event = QuarantinedEvent(
            id: id ?? EventID(high: 0, low: 0),
            lane: lane,
            reason: reason,
            response: response,
            time: Timestamp(microseconds: time),
            fragment: row.blob(),
            key: key,
            user: user,
            decision: decision
        )
        let isSound = id != nil && Int64(event.checksum) == checksum && !row.isTooLong
        return isSound && event.time.isPossible && isPossible(decision) ? event : nil
    }

    /// Returns the decision of the current row, or `nil` if it is damaged.
    static func decision(in statement: SQLiteStatement) -> DecisionRow? {
        var row = SQLiteRow(statement)
        let (purpose, text) = (row.name(), row.name())
        guard let (consent, isDefault) = DecisionRow.read(consentText: text) else { return nil }
        let decision = DecisionRow(
            purpose: purpose,
            consent: consent,
            isDefault: isDefault,
            number: row.number(),
            denial: row.number()
        )
        let isSound = Int64(decision.checksum) == row.integer() && !row.isTooLong
        return isSound && decision.denial <= decision.number && isPossible(decision.number) ? decision : nil
    }

    /// Returns the erasure of the current row, or `nil` if it is damaged.
    static func erasure(in statement: SQLiteStatement) -> ErasureRow? {
        var row = SQLiteRow(statement)
        let number = row.number()
        let user = row.isNull ? nil : UserHash(rawValue: UInt64(bitPattern: statement.integer(1)))
        let erasure = ErasureRow(number: number, user: user)
        return Int64(erasure.checksum) == statement.integer(2) && isPossible(number) ? erasure : nil
    }

    /// Returns the state of the current row, or `nil` if it is damaged.
    static func state(in statement: SQLiteStatement) -> PrivacyStateRow? {
        var row = SQLiteRow(statement)
        _ = row.integer()
        var state = PrivacyStateRow()
        (state.number, state.scrub) = (row.number(), row.number())
        let installation = row.name()
        state.installation = installation.isEmpty ? nil : installation
        let session = StoredSession(
            id: row.text(),
            start: Timestamp(microseconds: row.integer()),
            number: row.integer(),
            last: Timestamp(microseconds: row.integer())
        )
        state.session = session.isStorable ? session : nil
        (state.decisions, state.erasures, state.followed) = (row.int(), row.int(), row.number())
        let isSound = Int64(state.checksum) == row.integer() && !row.isTooLong
        return isSound && isPossible(max(state.number, state.scrub)) ? state : nil
    }

    private static func isPossible(_ number: UInt64) -> Bool { number <= PrivacyRows.greatestNumber }
}

package import CoreTracker
package import EventBuffer

extension SQLiteOutbox {
    /// The most open batches of a lane that are read; the packs of any other one are leased anew.
    private static let mostBatches = 4_096
    /// The most of the file's own notes that are read.
    private static let mostNotes = 65_536

    /// The first and the last place that a lane can have.
    func places(of lane: Int) -> (first: SQLiteValue, last: SQLiteValue) {
        (.integer(PackPlace(lane: lane, number: 0).rawValue), .integer(PackPlace.last(of: lane).rawValue))
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
            ORDER BY id LIMIT \(SQLiteOutbox.mostBatches)
            """
        )
        defer { statement.reset() }
        let range = places(of: lane)
        try statement.bind([range.first, range.last])
        var batches: [StoredBatch] = []
        // A damaged batch is passed over: its packs are leased anew, under a new batch id.
        while try statement.step() {
            if let batch = SQLiteOutbox.batch(in: statement), batch.lane == lane { batches.append(batch) }
        }
        return batches.sorted { $0.precedes($1) }
    }

    package func summaries(lane: Int, after place: PackPlace?, limit: Int) throws(OutboxError) -> [PackSummary] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.measuredSummary) FROM pack WHERE place > ? AND place <= ? ORDER BY place LIMIT ?",
            readsTexts: true
        )
        defer { statement.reset() }
        let range = places(of: lane)
        try statement.bind([place.map { .integer($0.rawValue) } ?? range.first, range.last, .integer(Int64(limit))])
        var summaries: [PackSummary] = []
        while try statement.step() {
            let summary = SQLiteOutbox.measuredSummary(in: statement)
            // A damaged tree may lead to the same page twice.
            guard summaries.last.map({ $0.place < summary.place }) ?? true else { throw .corrupt }
            summaries.append(summary)
        }
        return summaries
    }

    package func pack(at place: PackPlace) throws(OutboxError) -> Pack? {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.pack.columns) FROM pack WHERE place = ?"
        )
        defer { statement.reset() }
        try statement.bind([.integer(place.rawValue)])
        return try statement.step() ? SQLiteOutbox.pack(in: statement) : nil
    }

    package func heldPacks(lane: Int) throws(OutboxError) -> [Pack] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.held.columns) FROM held WHERE place BETWEEN ? AND ? ORDER BY place"
        )
        defer { statement.reset() }
        let range = places(of: lane)
        try statement.bind([range.first, range.last])
        var packs: [Pack] = []
        while try statement.step() { packs.append(SQLiteOutbox.pack(in: statement)) }
        return packs
    }

    package func lastSummary(lane: Int) throws(OutboxError) -> PackSummary? {
        var last: PackSummary?
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

    /// Whether every pack belongs to one of some lanes; it looks at one pack of each.
    func holdsNothing(but lanes: Set<Int>) throws(OutboxError) -> Bool {
        for table in Table.allCases {
            var start = PackPlace(rawValue: .min)
            while true {
                let statement = try connection.statement(
                    "SELECT place FROM \(table) WHERE place >= ? ORDER BY place LIMIT 1"
                )
                defer { statement.reset() }
                try statement.bind([.integer(start.rawValue)])
                guard try statement.step() else { break }
                let found = PackPlace(rawValue: statement.integer(0))
                // A damaged tree may lead back to what comes before.
                guard found >= start, lanes.contains(found.lane) else { return false }
                start = PackPlace(lane: found.lane + 1, number: 0)
            }
        }
        return true
    }

    /// The file's own notes.
    func notes() throws(OutboxError) -> [String: String] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.meta.columns) FROM meta LIMIT \(SQLiteOutbox.mostNotes)",
            readsTexts: true
        )
        defer { statement.reset() }
        var notes: [String: String] = [:]
        while try statement.step() { SQLiteOutbox.note(in: statement, into: &notes) }
        return notes
    }

    /// Adds the note of the current row, unless it is damaged.
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

// What a row of each table says, once its checksum has been verified and each number is one that can have been written.

extension SQLiteOutbox {
    /// The lane of the current row; the books of a damaged row are worthless, and it says so.
    ///
    /// `nil` for a row that does not even say which lane it is of.
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

    /// Reads what follows a lane's name; answers the stored checksum.
    private static func read(_ row: inout SQLiteRow, into lane: inout StoredLane) -> Int64 {
        lane.ledger.accepted = row.int()
        lane.ledger.delivered = row.int()
        lane.ledger.quarantined = row.int()
        lane.readDropped(row.text())
        lane.readRepaired(row.text())
        lane.nextNumber = row.integer()
        lane.learnedBodyBytes = row.int()
        lane.gate.remaining = .nanoseconds(row.integer())
        lane.gate.read(reasonText: row.name())
        lane.gate.failures = row.int()
        lane.gate.noted = MonotonicInstant(nanoseconds: row.integer())
        lane.gate.boot = row.uint32()
        let success = row.integer()
        lane.lastSuccess = success == 0 ? nil : Timestamp(microseconds: success)
        let checksum = row.integer()
        lane.purpose = row.name()
        lane.lastFailure = StoredFailure(text: row.name())
        return checksum
    }

    /// The batch of the current row; `nil` when it is damaged.
    static func batch(in statement: SQLiteStatement) -> StoredBatch? {
        var row = SQLiteRow(statement)
        let id = EventID(bytes: row.blob())
        _ = row.integer()  // the first pack, which is the key that batches are found by
        let batch = StoredBatch(
            id: id ?? EventID(high: 0, low: 0),
            packs: StoredBatch.places(in: row.blob()),
            attempts: row.int(),
            suspicion: StoredBatch.Suspicion(rawValue: row.int()) ?? .none
        )
        return id != nil && Int64(batch.checksum) == row.integer() && batch.isPossible ? batch : nil
    }

    /// The pack of the current row without its records; a damaged one counts nothing.
    static func summary(in statement: SQLiteStatement) -> PackSummary {
        var row = SQLiteRow(statement)
        return summary(&row)
    }

    /// The pack of the current row as above, where the length of its records follows; a pack that says otherwise counts
    /// nothing.
    static func measuredSummary(in statement: SQLiteStatement) -> PackSummary {
        var row = SQLiteRow(statement)
        var summary = summary(&row)
        if summary.bytes != row.int() { summary.forget() }
        return summary
    }

    private static func summary(_ row: inout SQLiteRow) -> PackSummary {
        let (place, priority, count, bytes) = (row.integer(), row.int(), row.int(), row.int())
        let moment = StoredMoment(
            wall: Timestamp(microseconds: row.integer()),
            monotonic: MonotonicInstant(nanoseconds: row.integer()),
            boot: row.uint32()
        )
        let (key, user) = UserMark.parts(of: row.text())
        var summary = PackSummary(
            place: PackPlace(rawValue: place),
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

    /// The pack of the current row.
    ///
    /// Where its columns are damaged, its count is that of its sound records plus one, so that whoever reads it
    /// notices.
    static func pack(in statement: SQLiteStatement) -> Pack {
        var row = SQLiteRow(statement)
        let summary = summary(&row)
        var pack = Pack(
            place: summary.place,
            priority: summary.priority,
            key: summary.key,
            user: summary.user,
            stored: summary.stored,
            count: summary.count,
            records: row.blob()
        )
        if summary.count == 0 || summary.bytes != pack.records.count { pack.count = pack.read().count + 1 }
        return pack
    }

    /// The quarantined event of the current row; `nil` when it is damaged.
    static func quarantined(in statement: SQLiteStatement) -> QuarantinedEvent? {
        var row = SQLiteRow(statement)
        let id = EventID(bytes: row.blob())
        let lane = LaneID(product: row.name(), service: row.name())
        let (reason, answer, time) = (row.text(), row.text(), row.integer())
        let ((key, user), checksum) = (UserMark.parts(of: row.text()), row.integer())
        let event = QuarantinedEvent(
            id: id ?? EventID(high: 0, low: 0),
            lane: lane,
            reason: reason,
            answer: answer,
            time: Timestamp(microseconds: time),
            fragment: row.blob(),
            key: key,
            user: user
        )
        let isSound = id != nil && Int64(event.checksum) == checksum && !row.isTooLong && event.time.isPossible
        return isSound ? event : nil
    }
}

package import CoreTracker

extension SQLiteOutbox {
    /// The most open batches of a lane that are read; the packs of any other one are leased anew.
    private static let mostBatches = 4_096
    /// The most names of outboxes that are read.
    private static let mostAdoptions = 65_536

    /// The first and the last place that a lane can have.
    func places(of lane: Int) -> (first: SQLiteValue, last: SQLiteValue) {
        (.integer(PackPlace(lane: lane, number: 0).rawValue), .integer(PackPlace.last(of: lane).rawValue))
    }

    package func lanes() throws(OutboxError) -> [StoredLane] {
        let statement = try connection.statement(
            "SELECT \(SQLiteTable.lane.columns) FROM lane ORDER BY number LIMIT \(StoredLane.most)"
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
            "SELECT \(SQLiteTable.measuredSummary) FROM pack WHERE place > ? AND place <= ? ORDER BY place LIMIT ?"
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
                """
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

    package func adoptions() throws(OutboxError) -> Set<String> {
        let prefix = "adopted:"
        let statement = try connection.statement("SELECT key FROM meta LIMIT \(SQLiteOutbox.mostAdoptions)")
        defer { statement.reset() }
        var names: Set<String> = []
        while try statement.step() {
            let key = statement.text(0)
            if key.hasPrefix(prefix) { names.insert(String(key.dropFirst(prefix.count))) }
        }
        return names
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

import CoreTracker

extension SQLiteOutbox {
    func apply(_ change: OutboxChange) throws(OutboxError) {
        var usage = UsageChange(of: self)
        for place in change.removed { try remove(place, from: .pack, &usage) }
        for place in change.removedHeld { try remove(place, from: .held, &usage) }
        for lane in change.grantedLanes { try grant(lane, &usage) }
        for pack in change.inserted { try insert(pack, into: .pack, &usage) }
        for pack in change.insertedHeld { try insert(pack, into: .held, &usage) }
        for id in change.removedBatches {
            try connection.statement("DELETE FROM batch WHERE id = ?").run(.blob(id.bytes))
        }
        for batch in change.savedBatches { try save(batch) }
        for id in change.removedQuarantined {
            try connection.statement("DELETE FROM quarantine WHERE id = ?").run(.blob(id.bytes))
        }
        for event in change.insertedQuarantined { try insert(event) }
        for lane in change.lanes { try save(lane) }
        for name in change.adopted { try note("adopted:" + name, "1") }
        try usage.save()
    }

    /// Writes an entry of the file's own notes.
    func note(_ key: String, _ value: String) throws(OutboxError) {
        try connection.statement(SQLiteTable.meta.replace).run(.text(key), .text(value))
    }

    /// Deletes what is stored for a lane, and stores its books.
    func erase(_ lane: StoredLane) throws(OutboxError) {
        // Also what lies at places that no event ever had.
        let first = SQLiteValue.integer(PackPlace(lane: lane.number, number: 0).rawValue)
        let end = SQLiteValue.integer(PackPlace(lane: lane.number &+ 1, number: 0).rawValue)
        for table in Table.allCases {
            try connection.statement("DELETE FROM \(table) WHERE place >= ? AND place < ?").run(first, end)
        }
        try connection.statement("DELETE FROM batch WHERE first >= ? AND first < ?").run(first, end)
        try connection.statement("DELETE FROM quarantine WHERE product = ? AND service = ?").run(
            .text(lane.id.product),
            .text(lane.id.service)
        )
        try connection.statement("DELETE FROM usage WHERE lane = ?").run(.integer(Int64(lane.number)))
        try save(lane)
    }

    private func save(_ lane: StoredLane) throws(OutboxError) {
        try connection.statement(SQLiteTable.lane.replace).run(
            .integer(Int64(lane.number)),
            .text(lane.id.product),
            .text(lane.id.service),
            .integer(Int64(lane.ledger.accepted)),
            .integer(Int64(lane.ledger.delivered)),
            .integer(Int64(lane.ledger.quarantined)),
            .text(lane.droppedText),
            .text(lane.repairedText),
            .integer(lane.nextNumber),
            .integer(Int64(lane.learnedBodyBytes)),
            .integer(lane.gate.remaining.nanoseconds),
            .text(lane.gate.reason),
            .integer(Int64(lane.gate.failures)),
            .integer(lane.gate.noted.nanoseconds),
            .integer(Int64(lane.gate.boot)),
            lane.lastSuccess.map { .integer($0.microseconds) } ?? .null,
            .integer(Int64(lane.checksum)),
            .text(lane.purpose),
            .text(lane.failureText)
        )
    }

    private func remove(_ place: PackPlace, from table: Table, _ usage: inout UsageChange) throws(OutboxError) {
        try usage.begin(place.lane)
        let statement = try connection.statement(
            "DELETE FROM \(table) WHERE place = ? RETURNING \(SQLiteTable.summary)"
        )
        defer { statement.reset() }
        try statement.bind([.integer(place.rawValue)])
        while try statement.step() { try usage.count(SQLiteOutbox.summary(in: statement), in: table, sign: -1) }
    }

    private func insert(_ pack: Pack, into table: Table, _ usage: inout UsageChange) throws(OutboxError) {
        let summary = pack.summary
        try usage.begin(pack.place.lane)
        try connection.statement(table.layout.insert).run(
            .integer(pack.place.rawValue),
            .integer(Int64(pack.priority.rawValue)),
            .integer(Int64(pack.count)),
            .integer(Int64(pack.records.count)),
            .integer(pack.stored.wall.microseconds),
            .integer(pack.stored.monotonic.nanoseconds),
            .integer(Int64(pack.stored.boot)),
            .text(pack.key),
            .integer(Int64(summary.checksum)),
            .blob(pack.records)
        )
        try usage.count(summary, in: table, sign: 1)
    }

    private func grant(_ lane: Int, _ usage: inout UsageChange) throws(OutboxError) {
        let range = places(of: lane)
        let columns = SQLiteTable.pack.columns
        // A place is given once; a file that has it twice is damaged, and keeps what can be delivered.
        try connection.statement(
            """
            INSERT OR IGNORE INTO pack (\(columns)) SELECT \(columns) FROM held WHERE place BETWEEN ? AND ?
            """
        ).run(range.first, range.last)
        try connection.statement("DELETE FROM held WHERE place BETWEEN ? AND ?").run(range.first, range.last)
        try usage.recount(lane)
    }

    private func save(_ batch: StoredBatch) throws(OutboxError) {
        guard let first = batch.packs.first else { return }
        try connection.statement(SQLiteTable.batch.replace).run(
            .blob(batch.id.bytes),
            .integer(first.rawValue),
            .blob(batch.placesBlob),
            .integer(Int64(batch.attempts)),
            .integer(Int64(batch.suspicion.rawValue)),
            .integer(Int64(batch.checksum))
        )
    }

    private func insert(_ event: QuarantinedEvent) throws(OutboxError) {
        try connection.statement(SQLiteTable.quarantine.replace).run(
            .blob(event.id.bytes),
            .text(event.lane.product),
            .text(event.lane.service),
            .text(event.reason),
            .text(event.answer),
            .integer(event.time.microseconds),
            .text(event.key),
            .integer(Int64(event.checksum)),
            .blob(event.fragment)
        )
    }
}

extension SQLiteOutbox {
    private static let summaryColumns = "place, priority, count, bytes, wall, monotonic, boot, key, crc"

    func lanes() throws(OutboxError) -> [StoredLane] {
        let statement = try connection.statement("SELECT * FROM lane ORDER BY number")
        defer { statement.reset() }
        var lanes: [StoredLane] = []
        while try statement.step() {
            var lane = StoredLane(
                number: Int(truncatingIfNeeded: statement.integer(0)),
                id: LaneID(product: statement.text(1), service: statement.text(2))
            )
            lane.ledger.accepted = Int(statement.integer(3))
            lane.ledger.delivered = Int(statement.integer(4))
            lane.ledger.quarantined = Int(statement.integer(5))
            lane.readDropped(statement.text(6))
            lane.readRepaired(statement.text(7))
            lane.nextNumber = statement.integer(8)
            lane.learnedBodyBytes = Int(statement.integer(9))
            lane.gate = StoredGate(
                remaining: .nanoseconds(statement.integer(10)),
                reason: statement.text(11),
                failures: Int(statement.integer(12)),
                noted: MonotonicInstant(nanoseconds: statement.integer(13)),
                boot: UInt32(truncatingIfNeeded: statement.integer(14))
            )
            let success = statement.integer(15)
            lane.lastSuccess = success == 0 ? nil : Timestamp(microseconds: success)
            // A damaged row's books are worthless; its packs are not. Opening counts them anew.
            let isSound = Int64(lane.checksum) == statement.integer(16)
            lanes.append(isSound ? lane : StoredLane(number: lane.number, id: lane.id))
        }
        return lanes
    }

    func batches(lane: Int) throws(OutboxError) -> [StoredBatch] {
        let statement = try connection.statement(
            "SELECT id, packs, attempts, suspicion, crc FROM batch WHERE first BETWEEN ? AND ? ORDER BY first"
        )
        defer { statement.reset() }
        try statement.bind([
            .integer(PackPlace(lane: lane, number: 0).rawValue),
            .integer(PackPlace(lane: lane + 1, number: 0).rawValue - 1),
        ])
        var batches: [StoredBatch] = []
        while try statement.step() {
            guard let id = EventID(bytes: statement.blob(0)) else { continue }
            let batch = StoredBatch(
                id: id,
                packs: StoredBatch.places(in: statement.blob(1)),
                attempts: Int(truncatingIfNeeded: statement.integer(2)),
                suspicion: StoredBatch.Suspicion(rawValue: Int(truncatingIfNeeded: statement.integer(3))) ?? .none
            )
            // A damaged batch row is passed over: its packs are leased anew, under a new batch id.
            if Int64(batch.checksum) == statement.integer(4), !batch.packs.isEmpty { batches.append(batch) }
        }
        return batches
    }

    func summaries(lane: Int, after place: PackPlace?, limit: Int) throws(OutboxError) -> [PackSummary] {
        let after = place ?? PackPlace(lane: lane, number: 0)
        let statement = try connection.statement(
            """
            SELECT \(SQLiteOutbox.summaryColumns) FROM pack WHERE place > ? AND place < ? ORDER BY place LIMIT ?
            """
        )
        defer { statement.reset() }
        try statement.bind([
            .integer(after.rawValue), .integer(PackPlace(lane: lane + 1, number: 0).rawValue), .integer(Int64(limit)),
        ])
        var summaries: [PackSummary] = []
        while try statement.step() { summaries.append(summary(in: statement)) }
        return summaries
    }

    func pack(at place: PackPlace) throws(OutboxError) -> Pack? {
        let statement = try connection.statement(
            "SELECT \(SQLiteOutbox.summaryColumns), records FROM pack WHERE place = ?"
        )
        defer { statement.reset() }
        try statement.bind([.integer(place.rawValue)])
        guard try statement.step() else { return nil }
        return pack(in: statement)
    }

    func heldPacks(lane: Int) throws(OutboxError) -> [Pack] {
        let statement = try connection.statement(
            "SELECT \(SQLiteOutbox.summaryColumns), records FROM held WHERE place > ? AND place < ? ORDER BY place"
        )
        defer { statement.reset() }
        try statement.bind([
            .integer(PackPlace(lane: lane, number: 0).rawValue),
            .integer(PackPlace(lane: lane + 1, number: 0).rawValue),
        ])
        var packs: [Pack] = []
        while try statement.step() { packs.append(pack(in: statement)) }
        return packs
    }

    /// The pack of the current row.
    ///
    /// Where the columns' checksum is wrong, its count is that of its sound records plus
    /// one, so that whoever reads it notices.
    private func pack(in statement: SQLiteStatement) -> Pack {
        let summary = summary(in: statement)
        var pack = Pack(
            place: summary.place,
            priority: summary.priority,
            key: summary.key,
            stored: summary.stored,
            count: summary.count,
            records: statement.blob(9)
        )
        if Int64(summary.checksum) != statement.integer(8) { pack.count = pack.read().count + 1 }
        return pack
    }

    func lastSummary(lane: Int) throws(OutboxError) -> PackSummary? {
        var last: PackSummary?
        for table in ["pack", "held"] {
            let statement = try connection.statement(
                """
                SELECT \(SQLiteOutbox.summaryColumns) FROM \(table)
                WHERE place > ? AND place < ? ORDER BY place DESC LIMIT 1
                """
            )
            defer { statement.reset() }
            try statement.bind([
                .integer(PackPlace(lane: lane, number: 0).rawValue),
                .integer(PackPlace(lane: lane + 1, number: 0).rawValue),
            ])
            guard try statement.step() else { continue }
            let found = summary(in: statement)
            if last.map({ $0.place < found.place }) ?? true { last = found }
        }
        return last
    }

    func hasAdopted(_ name: String) -> Bool {
        guard let statement = try? connection.statement("SELECT 1 FROM meta WHERE key = ?") else { return false }
        defer { statement.reset() }
        try? statement.bind([.text("adopted:" + name)])
        return (try? statement.step()) == true
    }

    func usage(lane: Int) throws(OutboxError) -> LaneUsage {
        var usage = LaneUsage()
        for table in ["pack", "held"] {
            let statement = try connection.statement(
                "SELECT priority, sum(count), sum(bytes) FROM \(table) WHERE place > ? AND place < ? GROUP BY priority"
            )
            defer { statement.reset() }
            try statement.bind([
                .integer(PackPlace(lane: lane, number: 0).rawValue),
                .integer(PackPlace(lane: lane + 1, number: 0).rawValue),
            ])
            while try statement.step() {
                let priority = max(0, min(2, Int(truncatingIfNeeded: statement.integer(0))))
                if table == "pack" {
                    usage.events[priority] += Int(statement.integer(1))
                    usage.bytes += Int(statement.integer(2))
                } else {
                    usage.heldEvents += Int(statement.integer(1))
                    usage.heldBytes += Int(statement.integer(2))
                }
            }
        }
        usage.oldest = try summaries(lane: lane, after: nil, limit: 1).first?.stored
        return usage
    }

    func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent] {
        let statement = try connection.statement(
            """
            SELECT id, product, service, reason, answer, time, key, crc, fragment FROM quarantine
            WHERE ?1 IS NULL OR (product = ?1 AND service = ?2) ORDER BY number LIMIT ?3
            """
        )
        defer { statement.reset() }
        try statement.bind([
            lane.map { .text($0.product) } ?? .null, lane.map { .text($0.service) } ?? .null, .integer(Int64(limit)),
        ])
        var events: [QuarantinedEvent] = []
        while try statement.step() {
            guard let id = EventID(bytes: statement.blob(0)) else { continue }
            let event = QuarantinedEvent(
                id: id,
                lane: LaneID(product: statement.text(1), service: statement.text(2)),
                reason: statement.text(3),
                answer: statement.text(4),
                time: Timestamp(microseconds: statement.integer(5)),
                fragment: statement.blob(8),
                key: statement.text(6)
            )
            if Int64(event.checksum) == statement.integer(7) { events.append(event) }
        }
        return events
    }

    private func summary(in statement: SQLiteStatement) -> PackSummary {
        PackSummary(
            place: PackPlace(rawValue: statement.integer(0)),
            priority: TrackOptions.Priority(rawValue: Int(truncatingIfNeeded: statement.integer(1))) ?? .normal,
            key: statement.text(7),
            stored: StoredMoment(
                wall: Timestamp(microseconds: statement.integer(4)),
                monotonic: MonotonicInstant(nanoseconds: statement.integer(5)),
                boot: UInt32(truncatingIfNeeded: statement.integer(6))
            ),
            count: Int(truncatingIfNeeded: statement.integer(2)),
            bytes: Int(truncatingIfNeeded: statement.integer(3))
        )
    }
}

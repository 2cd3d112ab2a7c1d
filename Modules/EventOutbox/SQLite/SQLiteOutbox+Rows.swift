import CoreTracker

// What a row of each table says, once its checksum has been verified and each number is one that can have been written.

extension SQLiteOutbox {
    /// The longest name of a product, a service or a purpose, and the longest list of counts, in bytes.
    private static let longest = (name: 1_024, counts: 65_536)

    /// The lane of the current row; the books of a damaged row are worthless, and it says so.
    ///
    /// `nil` for a row that does not even say which lane it is of.
    static func lane(in statement: SQLiteStatement) -> StoredLane? {
        var row = SQLiteRow(statement)
        let (number, product, service) = (row.int(), row.text(), row.text())
        guard product.utf8.count <= longest.name, service.utf8.count <= longest.name else { return nil }
        var lane = StoredLane(number: number, id: LaneID(product: product, service: service))
        guard lane.isPossible else { return nil }
        let checksum = read(&row, into: &lane)
        if Int64(lane.checksum) == checksum, lane.isPossible {
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
        let (dropped, repaired) = (row.text(), row.text())
        if dropped.utf8.count <= longest.counts { lane.readDropped(dropped) }
        if repaired.utf8.count <= longest.counts { lane.readRepaired(repaired) }
        lane.nextNumber = row.integer()
        lane.learnedBodyBytes = row.int()
        lane.gate = StoredGate(
            remaining: .nanoseconds(row.integer()),
            reason: row.text(),
            failures: row.int(),
            noted: MonotonicInstant(nanoseconds: row.integer()),
            boot: row.uint32()
        )
        let success = row.integer()
        lane.lastSuccess = success == 0 ? nil : Timestamp(microseconds: success)
        let checksum = row.integer()
        lane.purpose = row.text()
        lane.lastFailure = StoredFailure(text: row.text())
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
        var summary = PackSummary(
            place: PackPlace(rawValue: place),
            priority: TrackOptions.Priority(rawValue: priority) ?? .normal,
            key: row.text(),
            stored: moment,
            count: count,
            bytes: bytes
        )
        if Int64(summary.checksum) != row.integer() || !summary.isPossible { summary.forget() }
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
        let lane = LaneID(product: row.text(), service: row.text())
        let (reason, answer, time, key, checksum) = (row.text(), row.text(), row.integer(), row.text(), row.integer())
        let event = QuarantinedEvent(
            id: id ?? EventID(high: 0, low: 0),
            lane: lane,
            reason: reason,
            answer: answer,
            time: Timestamp(microseconds: time),
            fragment: row.blob(),
            key: key
        )
        return id != nil && Int64(event.checksum) == checksum && event.time.isPossible ? event : nil
    }
}

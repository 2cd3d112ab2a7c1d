import CoreTracker

// What a row of each table says, once its checksum has been verified.

extension SQLiteOutbox {
    /// The lane of the current row; the books of a damaged row are worthless, and it says so.
    static func lane(in statement: SQLiteStatement) -> StoredLane {
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
        if Int64(lane.checksum) == statement.integer(16) { return lane }
        var damaged = StoredLane(number: lane.number, id: lane.id)
        damaged.isDamaged = true
        return damaged
    }

    /// The batch of the current row; `nil` when it is damaged.
    static func batch(in statement: SQLiteStatement) -> StoredBatch? {
        guard let id = EventID(bytes: statement.blob(0)) else { return nil }
        let batch = StoredBatch(
            id: id,
            packs: StoredBatch.places(in: statement.blob(1)),
            attempts: Int(truncatingIfNeeded: statement.integer(2)),
            suspicion: StoredBatch.Suspicion(rawValue: Int(truncatingIfNeeded: statement.integer(3))) ?? .none
        )
        return Int64(batch.checksum) == statement.integer(4) && !batch.packs.isEmpty ? batch : nil
    }

    /// The pack of the current row without its records; a damaged one counts nothing.
    static func summary(in statement: SQLiteStatement) -> PackSummary {
        var summary = PackSummary(
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
        if Int64(summary.checksum) != statement.integer(8) { (summary.count, summary.bytes) = (0, 0) }
        return summary
    }

    /// The pack of the current row.
    ///
    /// Where its columns are damaged, its count is that of its sound records plus one, so that whoever reads it
    /// notices.
    static func pack(in statement: SQLiteStatement) -> Pack {
        let summary = summary(in: statement)
        var pack = Pack(
            place: summary.place,
            priority: summary.priority,
            key: summary.key,
            stored: summary.stored,
            count: summary.count,
            records: statement.blob(9)
        )
        if summary.count == 0 { pack.count = pack.read().count + 1 }
        return pack
    }

    /// The quarantined event of the current row; `nil` when it is damaged.
    static func quarantined(in statement: SQLiteStatement) -> QuarantinedEvent? {
        guard let id = EventID(bytes: statement.blob(0)) else { return nil }
        let event = QuarantinedEvent(
            id: id,
            lane: LaneID(product: statement.text(1), service: statement.text(2)),
            reason: statement.text(3),
            answer: statement.text(4),
            time: Timestamp(microseconds: statement.integer(5)),
            fragment: statement.blob(8),
            key: statement.text(6)
        )
        return Int64(event.checksum) == statement.integer(7) ? event : nil
    }
}

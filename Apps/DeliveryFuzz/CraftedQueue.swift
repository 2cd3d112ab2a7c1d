import CSQLite
import CoreTracker
import EventDeliveryTesting
import EventOutbox
import EventTracking
import Foundation

/// A queue with rows of every kind, and possible changes by an attacker with knowledge of the format.
struct CraftedQueue {
    private static let lanes = ["lines", "other", "third"].map { LaneID(product: "T", service: $0) }
    private static let columns = [
        "state": ["key", "value", "crc", "barriers"],
        "lane": ["key", "value", "crc"],
        "segment": [
            "place", "decision", "priority", "count", "bytes", "wall", "boot", "user", "key", "crc", "records",
        ],
        "quarantine": ["key", "value", "crc"],
        "sqlite_master": ["type", "name", "rootpage", "sql"],
    ]

    /// Returns rows as an engine writes them.
    static func sound() -> OutboxChange {
        var change = OutboxChange()
        for (index, id) in lanes.enumerated() {
            var lane = StoredLane(number: index + 1, id: id)
            lane.ledger.accepted = 40
            lane.ledger.quarantined = 1
            lane.ledger.dropped = [.expired: 5]
            lane.nextNumber = 41
            lane.purpose = "analytics"
            lane.counts.events = [0, 34, 0]
            lane.counts.bytes = 1_200
            let batch = EventID(high: 7, low: UInt64(index))
            lane.batches = [StoredBatch(id: batch, segments: [SegmentPlace(lane: index + 1, number: 1)])]
            change.save(lane)
            for number in stride(from: Int64(1), to: 31, by: 3) {
                let texts = (Int64(0)..<3).map { "{\"n\":\(number + $0)}" }
                change.save(segment(lane: index + 1, number: number, texts: texts))
            }
            change.save(
                QuarantinedEvent(
                    id: EventID(high: 8, low: UInt64(index)),
                    lane: id,
                    reason: "400",
                    response: "no",
                    time: Timestamp(microseconds: 1_772_359_200_000_000),
                    fragment: Array("{}".utf8),
                    key: ""
                ),
                lane: index + 1
            )
        }
        var state = StateRow()
        (state.number, state.isUnclean) = (6, true)
        state.decisions["analytics"] = StateRow.Decision(.granted, denial: 2)
        state.erasing[UserHash(rawValue: 7)] = 5
        state.installation = "0123456789abcdef0123456789abcdef"
        change.save(state)
        return change
    }

    private static func segment(lane: Int, number: Int64, texts: [String]) -> Segment {
        let moment = StoredMoment(
            wall: Timestamp(microseconds: number),
            monotonic: MonotonicInstant(nanoseconds: number),
            boot: 7
        )
        var segment = Segment(
            place: SegmentPlace(lane: lane, number: number),
            priority: .normal,
            key: "k\(number % 3)",
            decision: 6,
            stored: moment
        )
        for (offset, text) in texts.enumerated() {
            let id = EventID(high: UInt64(lane), low: UInt64(number) + UInt64(offset))
            segment.append(id: id, fragment: Array(text.utf8))
        }
        return segment
    }

    /// Returns rows with valid checksums and arbitrary numbers.
    static func crafted(_ values: inout CraftedValues) -> OutboxChange {
        var change = sound()
        for lane in change.savedLanes { change.save(craft(lane, &values)) }
        for var segment in change.savedSegments {
            if values.happens(oneIn: 8) { segment.count = Int(clamping: values.integer()) }
            if values.happens(oneIn: 8) { segment.stored.wall = Timestamp(microseconds: values.integer()) }
            if values.happens(oneIn: 8) { segment.stored.monotonic = MonotonicInstant(nanoseconds: values.integer()) }
            if values.happens(oneIn: 8) { segment.key = values.text() }
            if values.happens(oneIn: 8) { segment.decision = UInt64(bitPattern: values.integer()) }
            if values.happens(oneIn: 16) { segment.records = values.bytes(3_000) }
            change.save(segment)
        }
        if var state = change.savedState {
            if values.happens(oneIn: 3) { state.number = UInt64(bitPattern: values.integer()) }
            if values.happens(oneIn: 3) { state.erasing[nil] = UInt64(bitPattern: values.integer()) }
            if values.happens(oneIn: 3) {
                state.decisions[values.text()] = StateRow.Decision(
                    .denied,
                    denial: UInt64(bitPattern: values.integer())
                )
            }
            change.save(state)
        }
        return change
    }

    private static func craft(_ lane: StoredLane, _ values: inout CraftedValues) -> StoredLane {
        var lane = lane
        let integer = { (values: inout CraftedValues) in Int(clamping: values.integer()) }
        if values.happens(oneIn: 4) { lane.number = integer(&values) }
        if values.happens(oneIn: 4) { lane.ledger = LaneLedger.crafted(&values) }
        if values.happens(oneIn: 4) { lane.nextNumber = values.integer() }
        if values.happens(oneIn: 4) { lane.receiver.maximumBodyBytes = integer(&values) }
        if values.happens(oneIn: 4) { lane.purpose = values.text() }
        if values.happens(oneIn: 4) { lane.start = values.integer() }
        for index in lane.batches.indices where values.happens(oneIn: 2) {
            lane.batches[index].attempts = integer(&values)
            lane.batches[index].segments += [SegmentPlace(rawValue: values.integer())]
        }
        if values.happens(oneIn: 4) { lane.counts.events[1] = integer(&values) }
        if values.happens(oneIn: 4) { lane.receiver.lastSuccess = Timestamp(microseconds: values.integer()) }
        if values.happens(oneIn: 4) {
            lane.retryState = StoredRetryState()
            lane.retryState.remaining = .nanoseconds(values.integer())
            lane.retryState.reason = values.text()
            lane.retryState.failures = integer(&values)
            lane.retryState.noted = MonotonicInstant(nanoseconds: values.integer())
        }
        return lane
    }

    /// Returns an SQL statement that another program could run on the file.
    static func statement(_ values: inout CraftedValues) -> String {
        // Sort the keys, because a dictionary's order differs between processes.
        let table = values.pick(columns.keys.sorted())
        let names = columns[table] ?? []
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        switch Int.random(in: 0..<8, using: &values.random) {
        case 0: return "DROP TABLE \(table)"
        case 1: return "DROP TABLE \(table); CREATE VIEW \(table) AS \(endless) SELECT i AS key, i AS value FROM n"
        case 2: return "PRAGMA user_version = \(values.integer() % 4)"
        case 3: return "CREATE TRIGGER t AFTER DELETE ON segment BEGIN DELETE FROM lane; END"
        case 4:
            return """
                WITH RECURSIVE n(i) AS (SELECT 9 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO lane SELECT CAST(printf('%08d', i) AS BLOB), randomblob(40), 0 FROM n
                """
        default:
            let isLarge = values.happens(oneIn: 8) && !names.contains("value")
            let large = "zeroblob(65000000) WHERE rowid = (SELECT min(rowid) FROM \(table))"
            let small = values.pick(["\(values.integer())", "'x'", "x'00ff'", "zeroblob(70000)"])
            return "UPDATE \(table) SET \(values.pick(names)) = \(isLarge ? large : small)"
        }
    }

    /// Runs SQL on a file.
    ///
    /// Ignores errors.
    static func run(_ sql: String, on path: String) {
        var handle: OpaquePointer?
        defer { unsafe sqlite3_close(handle) }
        guard unsafe sqlite3_open(path, &handle) == SQLITE_OK else { return }
        unsafe sqlite3_exec(handle, "PRAGMA synchronous = OFF; PRAGMA writable_schema = ON; \(sql)", nil, nil, nil)
    }
}

extension LaneLedger {
    /// Returns a ledger with arbitrary numbers.
    fileprivate static func crafted(_ values: inout CraftedValues) -> LaneLedger {
        var ledger = LaneLedger()
        ledger.accepted = Int(clamping: values.integer())
        ledger.delivered = Int(clamping: values.integer())
        ledger.quarantined = Int(clamping: values.integer())
        ledger.dropped = [.expired: Int(clamping: values.integer()), DropReason(values.text()): 1]
        ledger.adjusted = [values.text(): Int(clamping: values.integer())]
        return ledger
    }
}

import CoreTracker
import EventDeliveryTesting
import EventTracking
import Testing

@testable import EventOutbox

/// Tests of the bytes of rows.
@Suite struct RowCoderTests {
    private static let numbers: [Int64] = [0, 1, 127, 128, 16_383, 16_384, 1 << 35, .max, -1, .min]

    @Test(arguments: numbers)
    func `an integer is read as it was written`(number: Int64) {
        var (written, read) = (number, Int64(7))
        var writer = RowCoder()
        writer.code(&written)

        var reader = RowCoder(reading: writer.bytes)
        reader.code(&read)

        #expect(read == number && reader.isComplete)
    }

    @Test func `small numbers and texts take few bytes`() {
        var (number, text, flag) = (300, "é", true)
        var coder = RowCoder()

        coder.code(&number)
        coder.code(&text)
        coder.code(&flag)

        #expect(coder.bytes == [0xAC, 0x02, 0x02, 0xC3, 0xA9, 0x01])
    }

    @Test func `an integer beyond its type, a flag beyond 1 and a text beyond its limit are damage`() {
        var (small, flag, text) = (UInt16(5), true, "kept")

        var coder = RowCoder(reading: [0x80, 0x80, 0x04])
        coder.code(&small)
        #expect(coder.isDamaged && small == 0)
        coder = RowCoder(reading: [2])
        coder.code(&flag)
        #expect(coder.isDamaged && !flag)
        coder = RowCoder(reading: [3, 0x61, 0x62, 0x63])
        coder.code(&text, limit: 2)
        #expect(coder.isDamaged && text.isEmpty)
    }

    @Test func `each field of a lane is in its value`() {
        let failure = LaneFailure(time: Timestamp(microseconds: 1), kind: .retry)
        let changes: [(inout StoredLane) -> Void] = [
            { $0.nextNumber = 2 }, { ($0.start, $0.nextNumber) = (2, 3) }, { $0.purpose = "ads" },
            { $0.counts.bytes = 1 },
            { $0.counts.events = [1, 0, 0] }, { $0.counts.events = [0, 1, 0] }, { $0.receiver.lastFailure = failure },
            { $0.ledger.accepted = 1 }, { $0.ledger.delivered = 1 },
            { $0.ledger.quarantined = 1 }, { $0.ledger.dropped = [.closed: 1] }, { $0.ledger.adjusted = ["a": 1] },
            { $0.receiver.maximumBodyBytes = 1 }, { $0.retryState.failures = 1 }, { $0.retryState.reason = "a" },
            { $0.retryState.pausedSince = Timestamp(microseconds: 1) }, { $0.retryState.boot = 1 },
            { $0.retryState.configuration = 0 }, { $0.retryState.noted = MonotonicInstant(nanoseconds: 1) },
            { $0.batches = [StoredBatch(id: .stub(), segments: [SegmentPlace(lane: 1, number: 1)])] },
            { $0.retryState.remaining = .seconds(1) }, { $0.receiver.lastSuccess = Timestamp(microseconds: 1) },
        ]

        let rows = changes.map { change in
            var changed = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
            change(&changed)
            return changed
        }

        #expect(Set(rows.map(\.rowValue)).count == changes.count)
        for row in rows { #expect(read(row) == row) }
    }

    @Test func `rows with all fields are read as they were written`() {
        var state = StateRow()
        (state.number, state.isUnclean, state.installation) = (9, true, "0f1e2d3c")
        (state.generation, state.followed) = (.max, 3)
        for consent in Consent.allCases {
            state.decisions["a\t\(consent)"] = StateRow.Decision(consent, denial: 3)
        }
        for user in [nil, UserHash.nobody, UserHash(rawValue: .max)] { state.erasing[user] = 2 }
        let event = QuarantinedEvent(
            id: .stub(7),
            lane: LaneID(product: "T", service: "lines"),
            reason: "status 400",
            response: "no",
            time: Timestamp(microseconds: 5),
            fragment: [1, 2, 3],
            key: "k",
            user: nil,
            decision: 4
        )
        let places = [1, 77, 1 << 39].map { SegmentPlace(lane: 1, number: $0) }
        var lane = StoredLane(number: 1, id: event.lane)
        lane.nextNumber = 1 << 39
        lane.batches = [StoredBatch(id: .stub(), segments: places, attempts: 3, refusals: 2)]

        #expect(read(state) == state)
        let quarantined = QuarantineRow(lane: 1, event: event)
        #expect(read(quarantined) == quarantined)
        #expect(read(lane) == lane)
    }

    @Test func `no part of a row, and no row with further bytes, is read`() {
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.dropped = [.expired: 3]
        let value = lane.rowValue

        for count in 0..<value.count { #expect(read(lane.rowKey, Array(value.prefix(count)))?.isDamaged != false) }
        #expect(read(lane.rowKey, value + [0])?.isDamaged == true)
        #expect(read(lane.rowKey, value) == lane)
    }

    @Test func `a row of another table is damaged`() {
        let row = QuarantineRow(lane: 1, event: .stub(.stub(1)))
        let checksum = StoredLane.checksum(row.rowKey, row.rowValue)

        #expect(QuarantineRow(rowKey: row.rowKey, value: row.rowValue, checksum: checksum) == nil)
    }

    private func read<Row: OutboxRow>(_ row: Row) -> Row? {
        Row(rowKey: row.rowKey, value: row.rowValue, checksum: Row.checksum(row.rowKey, row.rowValue))
    }

    private func read(_ key: [UInt8], _ value: [UInt8]) -> StoredLane? {
        StoredLane(rowKey: key, value: value, checksum: StoredLane.checksum(key, value))
    }
}

import EventDeliveryTesting
import EventTracking
import Testing

@testable import EventOutbox

@Suite struct StateRowTests {
    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test func `an erasure covers earlier events of its user, and those whose user is unknown because of damage`() {
        var row = StateRow()
        let (user, other) = (UserHash(rawValue: 7), UserHash(rawValue: 8))
        row.erasing[user] = 5

        #expect(row.isErased(user, 4) && row.isErased(nil, 4))
        #expect(!row.isErased(user, 5) && !row.isErased(other, 4) && !row.isErased(.nobody, 4) && !row.isErased(nil, 5))
        row.erasing[nil] = 6
        #expect(row.isErased(user, 5) && row.isErased(other, 5) && row.isErased(.nobody, 5) && row.isErased(nil, 5))
        #expect(!row.isErased(user, 6))
    }

    @Test func `a row with a thousand erasures and decisions is read as it was saved`() throws {
        var row = state
        for number in 1...1_000 {
            row.erasing[UserHash(rawValue: UInt64(number) << 40)] = UInt64(number)
            row.decisions["p\(number)"] = StateRow.Decision(.granted, denial: UInt64(number))
        }
        (row.number, row.erasing[nil]) = (1_001, 1_001)

        try queue.commit { $0.save(row) }

        #expect(try queue.rows().state == row)
    }

    @Test(
        arguments: [
            { $0.number = 1 << 48 + 1 }, { $0.decisions["ads"]?.denial = 10 }, { $0.erasing[nil] = 10 },
        ] as [@Sendable (inout StateRow) -> Void]
    )
    func `a row with an impossible number is damaged`(craft: @Sendable (inout StateRow) -> Void) throws {
        var row = state
        craft(&row)

        try queue.commit { $0.save(row) }

        #expect(try queue.rows().state == nil)
    }

    @Test func `no flipped bit of the row changes a decision or an erasure without notice`() throws {
        try queue.commit { $0.save(state) }
        let bytes = state.rowValue

        for bit in 0..<(bytes.count * 8) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            try queue.read { file in
                try file.connection.statement("UPDATE state SET value = ?").run(.blob(flipped))
            }
            #expect(try queue.rows().state == nil, "bit \(bit)")
        }
    }

    @Test(arguments: ["UPDATE state SET crc = crc - 1", "DELETE FROM state"])
    func `a damaged or missing row is lost`(sql: String) throws {
        try queue.commit { $0.save(state) }

        try queue.execute(sql)

        #expect(try queue.rows().state == nil)
    }

    private var state: StateRow {
        var row = StateRow()
        (row.number, row.isUnclean, row.generation) = (9, true, 77)
        row.installation = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
        row.decisions = ["ads": StateRow.Decision(.denied, denial: 5), "analytics": StateRow.Decision(.granted)]
        row.erasing = [UserHash(rawValue: 7): 6, .nobody: 4]
        return row
    }
}

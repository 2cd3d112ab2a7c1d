import EventDeliveryAPI
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

/// Tests of the tables of decisions, erasures and the state.
@Suite struct PrivacyTablesTests {
    private let queue: TemporaryQueue
    private let denied = DecisionRow(purpose: "ads", consent: .denied, number: 5, denial: 5)
    private let granted = DecisionRow(purpose: "analytics", consent: .granted, number: 7, denial: 3)
    private let assumed = DecisionRow(purpose: "a\tb\n%\u{301}é", consent: .granted, isDefault: true)
    private let erasures = [
        ErasureRow(number: 2, user: UserHash(rawValue: .max)), ErasureRow(number: 4, user: nil),
        ErasureRow(number: 6, user: .nobody),
    ]

    init() throws { queue = try TemporaryQueue() }

    @Test func `decisions, erasures and the state are read as they were stored`() throws {
        try store()

        let privacy = try queue.rows().privacy

        #expect(privacy.decisions == [assumed, denied, granted])
        #expect(privacy.erasures == erasures)
        #expect(privacy.state == state)
        #expect(!privacy.lacksDecisions && !privacy.lacksErasures && !privacy.isStateLost && !privacy.isClean)
    }

    @Test func `a thousand pending erasures are all kept`() throws {
        let many = (1...1_000).map { ErasureRow(number: $0, user: UserHash(rawValue: $0 << 40)) }
        for erasure in many { try queue.commit { $0.save(erasures: [erasure]) } }

        #expect(try queue.rows().privacy.erasures == many)

        try queue.commit { change in
            change.remove(many[2])
            change.remove(many[4])
        }
        #expect(try queue.rows().privacy.erasures == many.filter { ![3, 5].contains($0.number) })
    }

    @Test(arguments: [UInt64(1) << 48 + 1, 1 << 62, .max])
    func `a row with a number that no user reaches is damaged`(number: UInt64) throws {
        try store()
        try queue.commit { change in
            change.save(decisions: [DecisionRow(purpose: "ads", consent: .granted, number: number)])
            change.save(erasures: [ErasureRow(number: number, user: nil)])
        }

        let privacy = try queue.rows().privacy

        #expect(privacy.decisions == [assumed, granted])
        #expect(privacy.erasures == erasures)
        #expect(privacy.lacksDecisions)
        #expect(privacy.number == 9)
    }

    @Test(arguments: [UInt64(1) << 48 + 1, .max])
    func `a state with a number that no user reaches is damaged, so a deletion may be pending`(number: UInt64)
        throws
    {
        for column in [\PrivacyStateRow.number, \.scrub] {
            var crafted = state
            crafted[keyPath: column] = number
            try store(crafted)

            let privacy = try queue.rows().privacy

            #expect(privacy.isStateLost && privacy.lacksDecisions && !privacy.isClean)
            #expect(privacy.number == 7)
        }
    }

    @Test(arguments: [
        DecisionRow(purpose: "ads", consent: .granted, number: 5, denial: 5),
        DecisionRow(purpose: "ads", consent: .denied, isDefault: true, number: 5, denial: 5),
        DecisionRow(purpose: "ads", consent: .denied, number: 4, denial: 4),
        DecisionRow(purpose: "ads", consent: .denied, number: 5),
    ])
    func `a changed decision is noticed, and never becomes a grant`(forged: DecisionRow) throws {
        try store()
        try queue.forge(forged)

        try expectLostDecision()
    }

    @Test(arguments: [
        "UPDATE decision SET value = x'056D61796265000505' WHERE key = CAST('ads' AS BLOB)",
        "UPDATE decision SET key = CAST('adz' AS BLOB) WHERE key = CAST('ads' AS BLOB)",
        "UPDATE decision SET crc = crc + 1 WHERE key = CAST('ads' AS BLOB)",
        "DELETE FROM decision WHERE key = CAST('ads' AS BLOB)",
    ])
    func `a damaged or missing decision is noticed, and never becomes a grant`(sql: String) throws {
        try store()
        try queue.execute(sql)

        try expectLostDecision()
    }

    private func expectLostDecision() throws {
        let privacy = try queue.rows().privacy

        #expect(privacy.decisions == [assumed, granted])
        #expect(privacy.lacksDecisions)
        #expect(privacy.decision(about: "ads") == nil)
    }

    @Test func `a decision with an unknown name and a valid checksum is damaged`() throws {
        try store()
        let (key, value) = (denied.rowKey, [UInt8(5)] + Array("maybe".utf8) + [0, 5, 5])
        let checksum = DecisionRow.checksum(key, value)

        try queue.execute("UPDATE decision SET value = x'056D61796265000505', crc = \(checksum) WHERE key = x'616473'")

        #expect(try queue.rows().privacy.decision(about: "ads") == nil)
    }

    @Test func `a decision whose denial is later than the decision is damaged`() throws {
        try store()

        try queue.commit { $0.save(decisions: [DecisionRow(purpose: "ads", consent: .granted, number: 5, denial: 6)]) }

        #expect(try queue.rows().privacy.decision(about: "ads") == nil)
    }

    @Test func `a missing default row is noticed, even if the number of rows is changed`() throws {
        try store()
        try queue.execute("DELETE FROM decision WHERE substr(key, 1, 2) = x'6109'")
        #expect(try queue.rows().privacy.lacksDecisions)

        var forged = state
        forged.decisions = 2
        try queue.forge(forged)

        let privacy = try queue.rows().privacy
        #expect(privacy.lacksDecisions)
        #expect(privacy.decision(about: assumed.purpose) == nil)
    }

    @Test(arguments: 0...6)
    func `a changed state is lost, so decisions may be missing and a deletion pending`(change: Int) throws {
        try store()
        var forged = state
        switch change {
        case 0: forged.number = 0
        case 1: forged.scrub = 0
        case 2: forged.installation = "b"
        case 3: forged.decisions = 0
        case 4: forged.erasures = 0
        case 5: forged.followed = 1
        default: try queue.execute("UPDATE state SET crc = crc - 1")
        }
        try queue.forge(forged)

        let privacy = try queue.rows().privacy

        #expect(privacy.isStateLost && privacy.lacksDecisions && !privacy.isClean)
        #expect(privacy.state.installation == nil)
        #expect(privacy.decisions.count == 3 && privacy.erasures.count == 3)
    }

    @Test func `a file without the row of the state has lost it`() throws {
        try store()
        try queue.execute("DELETE FROM state")

        #expect(try queue.rows().privacy.isStateLost)
    }

    @Test(arguments: ["key", "value", "crc"])
    func `a flipped bit in an erasure's row is noticed, and the other erasures stay`(column: String) throws {
        let damaged = ErasureRow(number: 6, user: UserHash(rawValue: 0x0123_4567_89AB_CDEF))
        let bytes: [UInt8] =
            switch column {
            case "key": damaged.rowKey
            case "value": damaged.rowValue
            default: [0, 0, 0, 0]
            }
        let checksum = ErasureRow.checksum(damaged.rowKey, damaged.rowValue)
        for bit in 0..<(bytes.count * 8) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            // This key belongs to another row.
            if column == "key", flipped == erasures[0].rowKey || flipped == erasures[1].rowKey { continue }
            try store()
            try queue.commit { $0.save(erasures: [damaged]) }
            try queue.read { file in
                let value: SQLiteValue =
                    column == "crc" ? .integer(checksum ^ (1 << Int64(bit))) : .blob(flipped)
                try file.connection.statement("UPDATE erasure SET \(column) = ? WHERE key = ?")
                    .run(value, .blob(damaged.rowKey))
            }

            let privacy = try queue.rows().privacy

            #expect(privacy.erasures == Array(erasures.prefix(2)), "bit \(bit)")
            #expect(privacy.lacksErasures)
            try queue.execute("DELETE FROM erasure")
        }
    }

    @Test(arguments: [2, 4, 6])
    func `an erasure of a user never becomes one of all users, or the reverse`(number: UInt64) throws {
        try store()
        let user = erasures.first { $0.number == number }?.user
        try queue.forge(ErasureRow(number: number, user: user == nil ? .nobody : nil))

        let privacy = try queue.rows().privacy

        #expect(privacy.erasures == erasures.filter { $0.number != number })
        #expect(privacy.lacksErasures)
    }

    private var state: PrivacyStateRow {
        var state = PrivacyStateRow()
        (state.number, state.scrub, state.installation) = (9, 6, "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
        (state.decisions, state.erasures) = (3, 3)
        return state
    }

    private func store(_ crafted: PrivacyStateRow? = nil) throws {
        try queue.commit { change in
            change.save(decisions: [granted, denied, assumed])
            change.save(erasures: erasures)
            change.save(crafted ?? state)
        }
    }
}

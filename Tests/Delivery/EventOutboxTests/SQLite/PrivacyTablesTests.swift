import EventBuffer
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
        for erasure in many { try queue.commit { $0.insertedErasures = [erasure] } }

        #expect(try queue.rows().privacy.erasures == many)

        try queue.commit { $0.removedErasures = [3, 5] }
        #expect(try queue.rows().privacy.erasures == many.filter { ![3, 5].contains($0.number) })
    }

    @Test(arguments: [UInt64(1) << 48 + 1, 1 << 62, .max])
    func `a row with a number that no user reaches is damaged`(number: UInt64) throws {
        try store()
        try queue.commit { change in
            change.decisions = [DecisionRow(purpose: "ads", consent: .granted, number: number)]
            change.insertedErasures = [ErasureRow(number: number, user: nil)]
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
        "UPDATE decision SET consent = 'granted' WHERE purpose = 'ads'",
        "UPDATE decision SET consent = 'default denied' WHERE purpose = 'ads'",
        "UPDATE decision SET consent = 'maybe' WHERE purpose = 'ads'",
        "UPDATE decision SET number = 4 WHERE purpose = 'ads'",
        "UPDATE decision SET denial = 0 WHERE purpose = 'ads'",
        "UPDATE decision SET purpose = 'adz' WHERE purpose = 'ads'",
        "UPDATE decision SET crc = crc + 1 WHERE purpose = 'ads'",
        "DELETE FROM decision WHERE purpose = 'ads'",
    ])
    func `a damaged or missing decision is noticed, and never becomes a grant`(sql: String) throws {
        try store()
        try queue.execute(sql)

        let privacy = try queue.rows().privacy

        #expect(privacy.decisions == [assumed, granted])
        #expect(privacy.lacksDecisions)
        #expect(privacy.decision(about: "ads") == nil)
    }

    @Test func `a decision whose denial is later than the decision is damaged`() throws {
        try store()

        try queue.commit { $0.decisions = [DecisionRow(purpose: "ads", consent: .granted, number: 5, denial: 6)] }

        #expect(try queue.rows().privacy.decision(about: "ads") == nil)
    }

    @Test func `a missing default row is noticed, even if the number of rows is changed`() throws {
        try store()
        try queue.execute("DELETE FROM decision WHERE consent LIKE 'default%'")
        #expect(try queue.rows().privacy.lacksDecisions)

        try queue.execute("UPDATE state SET decisions = 2")

        let privacy = try queue.rows().privacy
        #expect(privacy.lacksDecisions)
        #expect(privacy.decision(about: assumed.purpose) == nil)
    }

    @Test(arguments: [
        "number = 0", "scrub = 0", "installation = 'b'", "decisions = 0", "erasures = 0", "crc = crc - 1",
        "number = -1",
    ])
    func `a changed state is lost, so decisions may be missing and a deletion pending`(change: String) throws {
        try store()
        try queue.execute("UPDATE state SET \(change)")

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

    @Test(arguments: 0..<64)
    func `a flipped bit in an erasure's row is noticed, and the other erasures stay`(bit: Int) throws {
        let mask = Int64(bitPattern: 1 << UInt64(bit))
        var columns = ["user = (user | \(mask)) - (user & \(mask))"]
        if bit < 32 { columns.append("crc = (crc | \(mask)) - (crc & \(mask))") }
        if (3..<48).contains(bit) { columns.append("number = number + \(mask)") }
        for column in columns {
            let queue = try TemporaryQueue()
            try store(in: queue)
            try queue.execute("UPDATE erasure SET \(column) WHERE number = 6")

            let privacy = try queue.rows().privacy

            #expect(privacy.erasures == Array(erasures.prefix(2)), "\(column)")
            #expect(privacy.lacksErasures)
        }
    }

    @Test(arguments: [2, 4, 6])
    func `an erasure of a user never becomes one of all users, or the reverse`(number: Int) throws {
        try store()
        try queue.execute(
            "UPDATE erasure SET user = CASE WHEN user IS NULL THEN 0 ELSE NULL END WHERE number = \(number)"
        )

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

    private func store(_ crafted: PrivacyStateRow? = nil, in other: TemporaryQueue? = nil) throws {
        try (other ?? queue).commit { change in
            change.decisions = [granted, denied, assumed]
            change.insertedErasures = erasures
            change.state = crafted ?? state
        }
    }
}

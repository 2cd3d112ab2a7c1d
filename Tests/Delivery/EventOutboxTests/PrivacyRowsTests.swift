import EventDeliveryAPI
import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct PrivacyRowsTests {
    @Test func `an erasure covers earlier events of its user, and those whose user is unknown because of damage`() {
        let user = UserHash(rawValue: 7)
        let (one, all) = (ErasureRow(number: 5, user: user), ErasureRow(number: 5, user: nil))

        #expect(one.covers(user, 4) && one.covers(nil, 4))
        #expect(!one.covers(user, 5) && !one.covers(UserHash(rawValue: 8), 4) && !one.covers(.nobody, 4))
        #expect(all.covers(user, 4) && all.covers(.nobody, 4) && all.covers(nil, 4))
        #expect(!all.covers(user, 5))
    }

    @Test func `the erasure with the lowest number that covers an event is found among many`() {
        let users = (1...5).map { UserHash(rawValue: $0) } + [nil]
        var random = SeededGenerator(seed: 1)
        var rows = PrivacyRows()
        for _ in 1...40 {
            rows.erasures.append(
                ErasureRow(
                    number: .random(in: 1...30, using: &random),
                    user: users.randomElement(using: &random) ?? nil
                )
            )
            if rows.erasures.count > 12 { rows.erasures.removeFirst() }

            for user in users + [UserHash.nobody] {
                for decision in UInt64(0)...31 {
                    let first = rows.erasures.filter { $0.covers(user, decision) }.map(\.number).min()
                    #expect(rows.erasure(of: user, decision) == first)
                    #expect(rows.isErased(user, decision) == (first != nil))
                }
            }
        }
    }

    @Test func `rows that are carried over to another file keep the loss of each row visible`() {
        var rows = PrivacyRows()
        rows.decisions = [DecisionRow(purpose: "ads", consent: .granted, number: 2)]
        (rows.state.number, rows.state.decisions) = (9, 1)
        #expect(rows.forReplacement == rows)

        var lackingDecision = rows
        lackingDecision.state.decisions = 2
        #expect(lackingDecision.forReplacement.lacksDecisions)
        #expect(lackingDecision.forReplacement.isClean)

        var lackingErasure = rows
        lackingErasure.state.erasures = 1
        #expect(lackingErasure.forReplacement.lacksErasures)

        var lost = rows
        (lost.state, lost.isStateLost) = (PrivacyStateRow(), true)
        #expect(lost.forReplacement.lacksDecisions && !lost.forReplacement.isStateLost)
        #expect(lost.forReplacement.state.number == 2 && lost.forReplacement.state.scrub == 2)
        lost.decisions = []
        #expect(lost.forReplacement.lacksDecisions && !lost.forReplacement.isClean)
    }
}

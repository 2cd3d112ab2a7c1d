import CoreTracker
import EventDelivery
import EventDeliveryAPI
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of stored decisions whose rows are damaged, or were crafted.
@Suite(.timeLimit(.minutes(5))) struct DamagedDecisionTests {
    /// A kind of damage to the decision about analytics.
    enum Damage: CaseIterable {
        case checksum, grantWithoutChecksum, missingRow, missingState, damagedState, lostFile

        private static let analytics = "CAST('analytics' AS BLOB)"

        func apply(to queue: TemporaryQueue) throws {
            switch self {
            case .checksum: try queue.execute("UPDATE decision SET crc = crc + 1 WHERE key = \(Damage.analytics)")
            case .grantWithoutChecksum:
                var row = try #require(try queue.rows().privacy.decision(about: "analytics"))
                row.consent = .granted
                try queue.forge(row)
            case .missingRow: try queue.execute("DELETE FROM decision WHERE key = \(Damage.analytics)")
            case .missingState: try queue.execute("DELETE FROM decision; DELETE FROM state")
            case .damagedState:
                try queue.execute("DELETE FROM decision")
                try queue.forge(PrivacyStateRow())
            case .lostFile: try FileManager.default.removeItem(atPath: queue.path)
            }
        }
    }

    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test(arguments: Damage.allCases, [Consent.granted, .denied, nil])
    func `a denied purpose is unknown until the app decides, even after a decision about another purpose`(
        damage: Damage,
        other: Consent?
    ) async throws {
        let first = try await GrantedEngine.openUndecided(queue.url)
        try await first.setConsent(.denied, for: .analytics)
        await first.close(timeout: .zero)
        try damage.apply(to: queue)
        let second = DeliveryEngine(clock: TestClock())
        var diagnostics = second.diagnostics().makeAsyncIterator()
        var configuration = GrantedEngine.configuration(queue.url)
        configuration.consent = [:]
        try await second.open(configuration)
        let lost = await diagnostics.next { $0 == .consentLost(.analytics) }
        if let other { try await second.setConsent(other, for: .marketing) }
        await second.close(timeout: .zero)

        let transport = ScriptedTransport()
        let third = try await GrantedEngine.openUndecided(queue.url, transport)
        GrantedEngine.track("UNKNOWN", by: third)
        let held = await third.flush(timeout: .seconds(30))

        #expect(lost != nil)
        #expect(held.lanes.map(\.outcome) == [.withoutConsent])
        #expect(await third.statistics().map(\.consent) == [.unknown])
        #expect(transport.requests.isEmpty)
        try await third.setConsent(.granted, for: .analytics)
        await third.close(timeout: .zero)
        let fourth = try await GrantedEngine.openUndecided(queue.url, transport)
        #expect(await fourth.statistics().map(\.consent) == [.granted])
        #expect(await fourth.flush(timeout: .seconds(30)).isDrained)
        #expect(transport.sentText.matches(of: /UNKNOWN/).count == 3)
        await fourth.close(timeout: .zero)
    }

    @Test(arguments: [Damage.checksum, .missingRow])
    func `if no denial is pending, the events of a damaged decision are kept until the app decides`(damage: Damage)
        async throws
    {
        let first = try await GrantedEngine.openUndecided(queue.url)
        try await first.setConsent(.granted, for: .analytics)
        GrantedEngine.track("KEPT", by: first)
        await first.close(timeout: .zero)
        try damage.apply(to: queue)

        let transport = ScriptedTransport()
        let second = try await GrantedEngine.openUndecided(queue.url, transport)
        let held = await second.flush(timeout: .seconds(30))
        #expect(held.lanes.map(\.outcome) == [.withoutConsent])
        #expect(transport.requests.isEmpty)
        try await second.setConsent(.granted, for: .analytics)

        #expect(await second.flush(timeout: .seconds(30)).isDrained)
        #expect(transport.sentText.matches(of: /KEPT/).count == 3)
        try await LedgerCheck.check(second)
        await second.close(timeout: .zero)
    }

    @Test(arguments: [
        "UPDATE decision SET crc = crc + 1", "DELETE FROM decision", "DELETE FROM state",
        "UPDATE state SET value = zeroblob(6)",
    ])
    func `if a denial may be pending, the events of a damaged decision are deleted and counted`(damage: String)
        async throws
    {
        let killed = try await GrantedEngine.killed("REFUSED", later: "LATER")
        #expect(try killed.contents().contains("REFUSED"))
        try killed.execute(damage)
        if damage.hasPrefix("UPDATE state") || damage.hasPrefix("DELETE FROM state") {
            // The rows of the decisions are lost together with the state.
            try killed.execute("DELETE FROM decision")
        }

        let transport = ScriptedTransport()
        let engine = try await GrantedEngine.openUndecided(killed.url, transport)
        let report = await engine.flush(timeout: .seconds(30))

        #expect(report.lanes.allSatisfy { [.drained, .withoutConsent].contains($0.outcome) })
        #expect(transport.requests.isEmpty)
        for canary in ["REFUSED", "LATER"] { await engine.waitUntilGone(canary, from: killed) }
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 6]])
        #expect(await engine.statistics().map(\.consent) == [.unknown])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a quarantined event of a damaged decision cannot be sent again`() async throws {
        let refusing = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 400)) }
        let first = try await GrantedEngine.openUndecided(queue.url, refusing)
        GrantedEngine.track("REFUSED", by: first)
        _ = await first.flush(timeout: .seconds(30))
        let ids = Set(await first.quarantine.events().map(\.id))
        #expect(ids.count == 3)
        await first.close(timeout: .zero)
        try Damage.missingState.apply(to: queue)

        let transport = ScriptedTransport()
        let engine = try await GrantedEngine.openUndecided(queue.url, transport)

        #expect(await engine.quarantine.events().isEmpty)
        #expect(await engine.quarantine.retry(ids) == 0)
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 3]])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test(arguments: [1 << 48 + 1, UInt64(Int64.max), .max])
    func `a decision with a number beyond the range is damaged, and later decisions are stored`(number: UInt64)
        async throws
    {
        let first = try await GrantedEngine.openUndecided(queue.url)
        await first.close(timeout: .zero)
        var change = OutboxChange()
        change.save(decisions: [DecisionRow(purpose: "analytics", consent: .granted, number: number)])
        try queue.commit(change)

        let second = try await GrantedEngine.openUndecided(queue.url)
        #expect(await second.statistics().map(\.consent) == [.unknown])
        for decision in [Consent.denied, .granted, .denied] { try await second.setConsent(decision, for: .analytics) }
        await second.close(timeout: .zero)

        let third = try await GrantedEngine.openUndecided(queue.url)
        #expect(await third.statistics().map(\.consent) == [.denied])
        try await third.setConsent(.granted, for: .analytics)
        await third.close(timeout: .zero)
        let fourth = try await GrantedEngine.openUndecided(queue.url)
        #expect(await fourth.statistics().map(\.consent) == [.granted])
        await fourth.close(timeout: .zero)
    }

    @Test func `a lane with a number beyond the range hides no denial`() async throws {
        let killed = try await GrantedEngine.killed("REFUSED", later: "LATER")
        var change = OutboxChange()
        for var lane in try killed.rows().lanes {
            lane.void = UInt64(Int64.max)
            change.save(lane)
        }
        try killed.commit(change)

        let transport = ScriptedTransport()
        let engine = try await GrantedEngine.openUndecided(killed.url, transport)
        _ = await engine.flush(timeout: .seconds(30))

        await engine.waitUntilGone("REFUSED", from: killed)
        #expect(!transport.sentText.contains("REFUSED"))
        #expect(await engine.statistics().first?.ledger.dropped[.consentDenied] == 3)
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }
}

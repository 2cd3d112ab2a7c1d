import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of stored decisions whose rows are damaged, or were crafted.
@Suite(.timeLimit(.minutes(5))) struct DamagedDecisionTests {
    /// A kind of damage to the row of the state, which contains the decisions.
    enum Damage: CaseIterable {
        case checksum, value, missing, number, lostFile

        func apply(to queue: TemporaryQueue) throws {
            switch self {
            case .checksum: try queue.execute("UPDATE state SET crc = crc + 1")
            case .value: try queue.execute("UPDATE state SET value = zeroblob(6)")
            case .missing: try queue.execute("DELETE FROM state")
            case .number:
                var row = try #require(try queue.rows().state)
                row.decisions["analytics"] = StateRow.Decision(.granted, denial: UInt64(Int64.max))
                try queue.forge(row)
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

    @Test(arguments: Damage.allCases.filter { $0 != .lostFile })
    func `the events of a file without decisions are dropped and counted`(damage: Damage) async throws {
        let killed = try await GrantedEngine.killed("REFUSED", later: "LATER")
        #expect(try killed.contents().contains("REFUSED"))
        try damage.apply(to: killed)

        let transport = ScriptedTransport()
        let engine = try await GrantedEngine.openUndecided(killed.url, transport)
        let report = await engine.flush(timeout: .seconds(30))

        #expect(report.lanes.allSatisfy { [.drained, .withoutConsent].contains($0.outcome) })
        #expect(transport.requests.isEmpty)
        for canary in ["REFUSED", "LATER"] { await engine.waitUntilGone(canary, from: killed) }
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 3, .corrupted: 3]])
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
        try Damage.missing.apply(to: queue)

        let transport = ScriptedTransport()
        let engine = try await GrantedEngine.openUndecided(queue.url, transport)

        #expect(await engine.quarantine.events().isEmpty)
        #expect(await engine.quarantine.retry(ids) == 0)
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.corrupted: 3]])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a lane whose start is lost hides no denial`() async throws {
        let killed = try await GrantedEngine.killed("REFUSED", later: "LATER")
        var change = OutboxChange()
        for var lane in try killed.rows().lanes {
            lane.start = .max
            change.save(lane)
        }
        try killed.commit(change)

        let transport = ScriptedTransport()
        let engine = try await GrantedEngine.openUndecided(killed.url, transport)
        _ = await engine.flush(timeout: .seconds(30))

        await engine.waitUntilGone("REFUSED", from: killed)
        #expect(!transport.sentText.contains("REFUSED"))
        // The ledger is lost with the row, and every event may be a denied one.
        #expect(await engine.statistics().map(\.ledger.pending) == [0])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }
}

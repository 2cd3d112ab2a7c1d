import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of denials whose deletion was interrupted, or must wait.
@Suite(.timeLimit(.minutes(5))) struct PendingDeletionTests {
    /// The reason for which a directory cannot be opened for a while.
    enum Obstacle: CaseIterable {
        case locked, unreadable

        var fault: DiskFaults.Fault {
            switch self {
            case .locked: .open(EPERM)
            case .unreadable: .read(EIO, 2_048..<off_t.max)
            }
        }
    }

    @Test func `a deletion that a kill has interrupted is completed by the next start, and later events stay`()
        async throws
    {
        let killed = try await GrantedEngine.killed("REFUSED")
        #expect(try killed.contents().contains("REFUSED"))
        let transport = ScriptedTransport()

        let engine = try await GrantedEngine.open(killed.url, transport)
        let report = await engine.flush(timeout: .seconds(30))

        #expect(report.isDrained)
        try await expectOnlyLater(transport, engine, in: killed)
    }

    @Test func `a short start completes a pending deletion within the time of its close`() async throws {
        let killed = try await GrantedEngine.killed("REFUSED")

        let engine = try await GrantedEngine.open(killed.url, ScriptedTransport())
        await engine.close(timeout: .seconds(30))

        #expect(try !killed.contents().contains("REFUSED"))
        #expect(try killed.rows().state?.isUnclean == false)
    }

    @Test func `a second start after a kill deletes no event again, and counts none twice`() async throws {
        let killed = try await GrantedEngine.killed("REFUSED")
        let second = try await GrantedEngine.open(killed.url)
        await second.waitUntilGone("REFUSED", from: killed)
        await second.waitUntilClean(killed)
        await second.close(timeout: .zero)
        let transport = ScriptedTransport()

        let third = try await GrantedEngine.open(killed.url, transport)
        #expect(await third.flush(timeout: .seconds(30)).isDrained)

        try await expectOnlyLater(transport, third, in: killed)
    }

    @Test(arguments: [nil, Consent.granted, .denied])
    func `events whose deletion is pending are never sent if the directory can be opened only later`(
        decision: Consent?
    ) async throws {
        let killed = try await GrantedEngine.killed("REFUSED", later: "")
        DiskFaults.set(.open(EPERM), for: killed.url)
        let transport = ScriptedTransport()
        let engine = try await GrantedEngine.open(killed.url, transport)
        if let decision {
            let failure = try #require(await engine.statistics().first?.storageFailure)
            await #expect(throws: DecisionError.notStored(failure)) {
                try await engine.setConsent(decision, for: .analytics)
            }
        }

        DiskFaults.set(nil, for: killed.url)
        await engine.storeBuffered()
        if decision == .denied { try await engine.setConsent(.granted, for: .analytics) }
        GrantedEngine.track("LATER", by: engine)
        let report = await engine.flush(timeout: .seconds(30))

        #expect(report.isDrained)
        let isKept = decision != .denied
        let sent = transport.sentText
        #expect(sent.matches(of: /LATER/).count == 3)
        #expect(!sent.contains("REFUSED"))
        await engine.waitUntilGone("REFUSED", from: killed)
        #expect(await engine.statistics().first?.ledger.dropped == [.consentDenied: isKept ? 3 : 6])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a denial of an earlier run is in effect when its directory can be opened`() async throws {
        let killed = try await GrantedEngine.killed("REFUSED", decisions: [.denied])
        DiskFaults.set(.open(EPERM), for: killed.url)
        let transport = ScriptedTransport()
        let engine = try await GrantedEngine.open(killed.url, transport)
        GrantedEngine.track("BUFFERED", by: engine)

        DiskFaults.set(nil, for: killed.url)
        await engine.storeBuffered()
        GrantedEngine.track("LATER", by: engine)
        _ = await engine.flush(timeout: .zero)

        #expect(engine.lane(LineDestination().lane).isConsentDenied)
        #expect(transport.requests.isEmpty)
        await engine.waitUntilGone("REFUSED", from: killed)
        for canary in ["BUFFERED", "LATER"] { #expect(try !killed.contents().contains(canary)) }
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test(arguments: Obstacle.allCases, [[Consent.denied, .granted], [.granted]])
    func `events that are tracked after a grant stay if the directory can be opened only later`(
        obstacle: Obstacle,
        decisions: [Consent]
    ) async throws {
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("EARLIER", in: queue.url)
        DiskFaults.set(obstacle.fault, for: queue.url)
        let clock = TestClock()
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url), clock: clock)
        for decision in decisions {
            let decision = buffer.decide(decision, about: .analytics)
            await #expect(throws: DecisionError.self) { try await store.apply(decision) }
        }
        buffer.lane(LineDestination().lane).track("viewed", parameters: ["canary": "LATER"])
        await store.storeAll(barrier: false)

        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(61))
        await store.storeAll(barrier: true)

        let isDenied = decisions.contains(.denied)
        #expect(try await store.firstLedger() == (isDenied ? 1 : 4, isDenied ? [.consentDenied: 3] : [:]))
        await store.stop()
    }

    @Test func `the bytes of denied events are deleted when the disk has space for it`() async throws {
        let queue = try TemporaryQueue()
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        DiskFaults.prepare()
        try await engine.open(GrantedEngine.configuration(queue.url))
        GrantedEngine.track("REFUSED", by: engine)
        await engine.storeBuffered()
        DiskFaults.set(.merge(ENOSPC), for: queue.url)
        await #expect(throws: DecisionError.notYetClean(.full)) {
            try await engine.setConsent(.denied, for: .analytics)
        }
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 3]])
        #expect(try queue.contents().contains("REFUSED"))
        #expect(try queue.copy().rows().state?.isUnclean == true)

        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(61))
        await engine.waitUntilGone("REFUSED", from: queue)
        await engine.waitUntilClean(queue)

        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 3]])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    private func expectOnlyLater(_ transport: ScriptedTransport, _ engine: DeliveryEngine, in queue: TemporaryQueue)
        async throws
    {
        let sent = transport.sentText
        #expect(sent.matches(of: /LATER/).count == 3)
        #expect(!sent.contains("REFUSED"))
        await engine.waitUntilGone("REFUSED", from: queue)
        #expect(await engine.statistics().first?.ledger.dropped == [.consentDenied: 3])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }
}

import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

/// A denial while the disk takes nothing.
@Suite struct FullDiskDenialTests {
    private static let events = 7_000

    @Test func `a denial on a full disk is kept, and the next start delivers nothing`() async throws {
        let scene = try await DeniedScene(events: FullDiskDenialTests.events)
        let before = await scene.ledger(of: scene.engine)

        await #expect(throws: OutboxError.full) { try await scene.engine.setConsent(.denied, for: .analytics) }
        let during = await scene.ledger(of: scene.engine)
        let word = try ConsentFile.read(in: OutboxDirectory(scene.queue.url))
        // The process is killed now.
        let snapshot = try scene.queue.copy()
        let transport = ScriptedTransport()
        let next = DeliveryEngine(clock: TestClock())
        try await next.open(scene.configuration(snapshot, transport))
        let report = await next.flush(deadline: .seconds(30))

        #expect(before.pending == FullDiskDenialTests.events)
        #expect(during.dropped.isEmpty)
        #expect(word == [StoredDecision(purpose: "analytics", consent: "denied", number: 1, owesPurge: true)])
        #expect(report.isDrained || report.lanes.allSatisfy { $0.outcome == .withoutConsent })
        #expect(transport.requests.isEmpty)
        #expect(try !DeniedScene.contains(snapshot))
        #expect(await scene.ledger(of: next).dropped == [.consentDenied: FullDiskDenialTests.events])
        await next.close(deadline: .zero)
        await scene.close()
    }

    @Test func `with space back the purge is made, and only then counted`() async throws {
        let scene = try await DeniedScene(events: FullDiskDenialTests.events)
        var diagnostics = scene.engine.diagnostics().makeAsyncIterator()
        await #expect(throws: OutboxError.full) { try await scene.engine.setConsent(.denied, for: .analytics) }
        let sent = scene.transport.requests.count
        scene.transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        _ = await scene.engine.flush(deadline: .seconds(1))
        let waiting = await scene.ledger(of: scene.engine)

        DiskFaults.set(nil, for: scene.queue.url)
        _ = await scene.clock.nextSleep { $0 <= .seconds(60) }
        scene.clock.advance(by: .seconds(61))
        let news = await diagnostics.next {
            if case .dropped(_, .consentDenied, _) = $0 { true } else { false }
        }

        #expect(waiting.dropped.isEmpty)
        #expect(news == .dropped(lane: scene.lane, reason: .consentDenied, count: FullDiskDenialTests.events))
        #expect(try !DeniedScene.contains(scene.queue))
        #expect(scene.transport.requests.count == sent)
        try await LedgerCheck.check(scene.engine)
        await scene.close()
    }

    @Test func `what memory alone has kept is deleted and counted at once, and the rest with space back`() async throws
    {
        let scene = try await DeniedScene(events: 3)
        for number in 4...7 {
            scene.engine.lane(scene.lane).track("viewed", parameters: ["canary": .string("\(number)")])
        }
        async let receipt = scene.engine.lane(scene.lane).track("viewed", parameters: [:], until: .persisted)
        while await scene.ledger(of: scene.engine).pending < 8 { await scene.engine.persist() }
        await scene.engine.persist()

        await #expect(throws: OutboxError.full) { try await scene.engine.setConsent(.denied, for: .analytics) }

        #expect(await receipt.outcome == .lost(.consentDenied))
        #expect(await scene.ledger(of: scene.engine).dropped == [.consentDenied: 5])
        try await LedgerCheck.check(scene.engine)
        DiskFaults.set(nil, for: scene.queue.url)
        // Before the purge is made, which is due a second later.
        try await LedgerCheck.check(scene.engine)
        await scene.engine.persist()
        #expect(await scene.ledger(of: scene.engine).dropped == [.consentDenied: 8])
        try await LedgerCheck.check(scene.engine)
        await scene.close()
    }
}

/// A queue of events on a disk that has just become full.
private struct DeniedScene {
    let queue: TemporaryQueue
    let clock = TestClock()
    let engine: DeliveryEngine
    let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
    let lane = LineDestination().lane

    init(events: Int) async throws {
        queue = try TemporaryQueue()
        engine = DeliveryEngine(clock: clock)
        DiskFaults.prepare()
        try await engine.open(configuration(queue, transport))
        for number in 1...events {
            engine.lane(lane).track("viewed", parameters: ["canary": .string("CANARY-\(number)")])
            if number.isMultiple(of: 1_000) || number == events { await engine.persist() }
        }
        DiskFaults.set(.write(ENOSPC), for: queue.url)
    }

    func configuration(_ queue: TemporaryQueue, _ transport: ScriptedTransport) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: queue.url, destinations: [LineDestination()], transport: transport)
    }

    func ledger(of engine: DeliveryEngine) async -> LaneLedger {
        await engine.statistics().first { $0.id == lane }?.ledger ?? LaneLedger()
    }

    /// Gives the disk its space back and ends the engine.
    func close() async {
        DiskFaults.set(nil, for: queue.url)
        await engine.close(deadline: .zero)
    }

    /// Whether a file of a queue holds a payload.
    static func contains(_ queue: TemporaryQueue) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: queue.url.path).contains { name in
            let data = FileManager.default.contents(atPath: queue.url.appending(path: name).path) ?? Data()
            return data.range(of: Data("CANARY".utf8)) != nil
        }
    }
}

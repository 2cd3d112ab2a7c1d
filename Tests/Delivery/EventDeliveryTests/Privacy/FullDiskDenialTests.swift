import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventDeliveryScenes

/// Tests of a denial while the disk is full.
@Suite(.timeLimit(.minutes(5))) struct FullDiskDenialTests {
    private static let events = 7_000

    @Test func `if no file may grow, a denial is stored in the space of the reserve, and the next start sends nothing`()
        async throws
    {
        let scene = try await DeniedScene(events: FullDiskDenialTests.events)
        let isReserved = scene.queue.files.contains("queue.db.reserve")
        DiskFaults.set(.capacity(DiskFaults.size(of: scene.queue.url)), for: scene.queue.url)

        try await scene.engine.setConsent(.denied, for: .analytics)
        // A copy is the state after a kill.
        let killed = try scene.queue.copy()
        let transport = ScriptedTransport()
        let next = DeliveryEngine(clock: TestClock())
        try await next.open(scene.configuration(killed, transport))
        _ = await next.flush(timeout: .seconds(30))

        #expect(isReserved)
        #expect(try !scene.queue.contents().contains("CANARY"))
        #expect(try !killed.contents().contains("CANARY"))
        #expect(transport.requests.isEmpty)
        #expect(await next.statistics().map(\.consent) == [.denied])
        #expect(await scene.ledger(of: next).dropped == [.consentDenied: FullDiskDenialTests.events])
        try await LedgerCheck.check(next)
        await next.close(timeout: .zero)
        await scene.close()
    }

    @Test func `a refused denial drops its events, a later grant is in effect, and both are stored later`()
        async throws
    {
        let scene = try await DeniedScene(events: FullDiskDenialTests.events)
        var diagnostics = scene.engine.diagnostics().makeAsyncIterator()
        DiskFaults.set(.write(ENOSPC), for: scene.queue.url)

        await #expect(throws: DecisionError.notStored(.full)) {
            try await scene.engine.setConsent(.denied, for: .analytics)
        }
        let dropped = await diagnostics.next {
            if case .dropped(_, .consentDenied, _) = $0 { true } else { false }
        }
        let sent = scene.transport.requests.count
        scene.transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        let denied = await scene.engine.flush(timeout: .seconds(1))
        await #expect(throws: DecisionError.notStored(.full)) {
            try await scene.engine.setConsent(.granted, for: .analytics)
        }
        let granted = await scene.engine.flush(timeout: .seconds(1))
        let isDenied = scene.engine.lane(scene.lane).isConsentDenied
        let waiting = await scene.ledger(of: scene.engine)

        DiskFaults.set(nil, for: scene.queue.url)
        _ = await scene.clock.nextSleep { $0 <= .seconds(60) }
        scene.clock.advance(by: .seconds(61))
        await scene.engine.waitUntilGone("CANARY", from: scene.queue)
        scene.engine.lane(scene.lane).track("viewed", parameters: ["canary": "LATER"])
        let stored = await scene.engine.flush(timeout: .seconds(30))

        #expect(denied.isDrained && granted.isDrained)
        #expect(!isDenied)
        #expect(waiting.dropped == [.consentDenied: FullDiskDenialTests.events])
        #expect(dropped == .dropped(lane: scene.lane, reason: .consentDenied, count: FullDiskDenialTests.events))
        #expect(stored.isDrained)
        #expect(scene.transport.requests.count == sent + 1)
        #expect(scene.transport.sentText.contains("LATER"))
        try await LedgerCheck.check(scene.engine)
        await scene.close()
    }

    @Test func `after a kill the app repeats a denial that the disk has refused, and nothing is sent`() async throws {
        let scene = try await DeniedScene(events: FullDiskDenialTests.events)
        DiskFaults.set(.write(ENOSPC), for: scene.queue.url)
        await #expect(throws: DecisionError.notStored(.full)) {
            try await scene.engine.setConsent(.denied, for: .analytics)
        }
        let killed = try scene.queue.copy()
        let transport = ScriptedTransport()
        let next = DeliveryEngine(clock: TestClock())

        await #expect(throws: DecisionError.notStored(.notOpen)) {
            try await next.setConsent(.denied, for: .analytics)
        }
        try await next.open(scene.configuration(killed, transport))
        _ = await next.flush(timeout: .seconds(30))

        #expect(transport.requests.isEmpty)
        await next.waitUntilGone("CANARY", from: killed)
        #expect(await scene.ledger(of: next).dropped == [.consentDenied: FullDiskDenialTests.events])
        await next.close(timeout: .zero)
        await scene.close()
    }

    @Test
    func `a refused denial covers the events that are only in memory, whose receipts report it when it is stored`()
        async throws
    {
        let scene = try await DeniedScene(events: 3)
        DiskFaults.set(.write(ENOSPC), for: scene.queue.url)
        for number in 4...7 {
            scene.engine.lane(scene.lane).track("viewed", parameters: ["canary": .string("CANARY-\(number)")])
        }
        async let receipt = scene.engine.lane(scene.lane).trackUntilStored("viewed", parameters: [:])
        while await scene.ledger(of: scene.engine).pending < 8 { await scene.engine.storeBuffered() }
        await scene.engine.storeBuffered()

        await #expect(throws: DecisionError.notStored(.full)) {
            try await scene.engine.setConsent(.denied, for: .analytics)
        }
        try await LedgerCheck.check(scene.engine)
        DiskFaults.set(nil, for: scene.queue.url)
        await scene.engine.storeBuffered()
        scene.clock.advance(by: .seconds(61))
        await scene.engine.storeBuffered()

        #expect(await receipt.dropReason == .consentDenied)
        #expect(await scene.ledger(of: scene.engine).dropped == [.consentDenied: 8])
        await scene.engine.waitUntilGone("CANARY", from: scene.queue)
        try await LedgerCheck.check(scene.engine)
        await scene.close()
    }

    @Test func `a grant that the disk refuses is in effect at once, and brings no denied event back`() async throws {
        let scene = try await DeniedScene(events: 3)
        try await scene.engine.setConsent(.denied, for: .analytics)
        scene.transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        let sent = scene.transport.requests.count
        DiskFaults.set(.write(ENOSPC), for: scene.queue.url)

        await #expect(throws: DecisionError.notStored(.full)) {
            try await scene.engine.setConsent(.granted, for: .analytics)
        }
        scene.engine.lane(scene.lane).track("viewed", parameters: ["canary": "GRANTED"])
        _ = await scene.engine.flush(timeout: .seconds(30))
        let isDenied = scene.engine.lane(scene.lane).isConsentDenied
        DiskFaults.set(nil, for: scene.queue.url)
        try await scene.engine.setConsent(.granted, for: .analytics)
        scene.engine.lane(scene.lane).track("viewed", parameters: ["canary": "LATER"])
        let report = await scene.engine.flush(timeout: .seconds(30))

        #expect(!isDenied)
        #expect(report.isDrained)
        let bodies = scene.transport.requests.dropFirst(sent).map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies.count == 2 && bodies[0].contains("GRANTED") && bodies[1].contains("LATER"))
        #expect(await scene.ledger(of: scene.engine).dropped == [.consentDenied: 3])
        try await LedgerCheck.check(scene.engine)
        await scene.close()
    }
}

/// An engine with stored events, whose receiver is unreachable.
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
            if number.isMultiple(of: 1_000) || number == events { await engine.storeBuffered() }
        }
    }

    func configuration(_ queue: TemporaryQueue, _ transport: ScriptedTransport) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: queue.url, destinations: [LineDestination()], transport: transport)
    }

    func ledger(of engine: DeliveryEngine) async -> LaneLedger {
        await engine.statistics().first { $0.id == lane }?.ledger ?? LaneLedger()
    }

    /// Removes the fault of the disk and closes the engine.
    func close() async {
        DiskFaults.set(nil, for: queue.url)
        await engine.close(timeout: .zero)
    }
}

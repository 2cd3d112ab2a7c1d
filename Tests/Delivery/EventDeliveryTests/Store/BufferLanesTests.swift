import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery

/// Of several words about a purpose the last one holds, whatever is under way.
@Suite struct BufferLanesTests {
    private let destination = LineDestination()

    // A grant that begins first and goes on while the denial comes is the case that was lost before.
    @Test func `a denial is never overtaken by a grant that began before it`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine()
        try await engine.open(configuration(nil, transport))
        let lane = engine.lane(destination.lane)
        var random = SeededGenerator(seed: 2026)

        for round in 1...BufferLanesTests.rounds {
            lane.track("before", parameters: ["n": .int(round)])
            let grant = Task { try await engine.setConsent(.granted, for: .analytics) }
            while engine.buffer.withLanes({ $0.words[.analytics]?.consent }) != .granted { await Task.yield() }
            lane.track("between", parameters: ["n": .int(round)])
            for _ in 0..<Int.random(in: 0...40, using: &random) { await Task.yield() }
            try await engine.setConsent(.denied, for: .analytics)
            let sent = transport.requests.count
            try await grant.value
            lane.track("after", parameters: ["n": .int(round)])

            #expect(lane.isConsentDenied)
            #expect(transport.requests.count == sent)
        }

        let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies.allSatisfy { !$0.contains("after") })
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.pending == 0)
        #expect(ledger.accepted == ledger.delivered + ledger.droppedTotal)
        await engine.close(deadline: .seconds(1))
    }

    /// A thousand in the suite; `CONSENT_ROUNDS` asks for more.
    private static let rounds = ProcessInfo.processInfo.environment["CONSENT_ROUNDS"].flatMap { Int($0) } ?? 1_000

    @Test func `a denial before the opening leaves no byte of an earlier run`() async throws {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        try await leave("CANARY-EARLIER", in: directory)
        #expect(try TemporaryQueue.contents(of: directory).contains("CANARY-EARLIER"))

        let engine = DeliveryEngine(clock: TestClock())
        await #expect(throws: OutboxError.notStored(.notOpen)) {
            try await engine.setConsent(.denied, for: .analytics)
        }
        try await engine.open(configuration(directory, ScriptedTransport()))

        #expect(try !TemporaryQueue.contents(of: directory).contains("CANARY-EARLIER"))
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 1]])
    }

    @Test func `the last word is stored, and holds at the next start unless the configuration names the purpose`()
        async throws
    {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(configuration(directory, ScriptedTransport()))
        try await first.setConsent(.denied, for: .analytics)
        await first.close(deadline: .zero)

        let second = DeliveryEngine(clock: TestClock())
        try await second.open(configuration(directory, ScriptedTransport()))
        let isDenied = second.lane(destination.lane).isConsentDenied
        await second.close(deadline: .zero)
        let third = DeliveryEngine(clock: TestClock())
        var named = configuration(directory, ScriptedTransport())
        named.consent = [.analytics: .granted]
        try await third.open(named)

        #expect(isDenied)
        #expect(!third.lane(destination.lane).isConsentDenied)
    }

    @Test func `a denial reaches what a destination has left that this run no longer has`() async throws {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        try await leave("CANARY-REMOVED", in: directory)
        let engine = DeliveryEngine(clock: TestClock())
        let other = LineDestination(lane: LaneID(product: "T", service: "other"))
        try await engine.open(
            DeliveryConfiguration(directory: directory, destinations: [other], transport: ScriptedTransport())
        )

        try await engine.setConsent(.denied, for: .analytics)

        #expect(try !TemporaryQueue.contents(of: directory).contains("CANARY-REMOVED"))
    }

    @Test func `a stored denial holds for what turns up later of a destination that this run does not have`()
        async throws
    {
        let (directory, elsewhere) = (LaneHarness.makeDirectory(), LaneHarness.makeDirectory())
        defer { for url in [directory, elsewhere] { try? FileManager.default.removeItem(at: url) } }
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(configuration(directory, ScriptedTransport()))
        try await first.setConsent(.denied, for: .analytics)
        await first.close(deadline: .zero)
        try await leave("CANARY-LATER", in: elsewhere)
        try FileManager.default.removeItem(atPath: TemporaryQueue.path(in: directory))
        try FileManager.default.moveItem(
            atPath: TemporaryQueue.path(in: elsewhere),
            toPath: TemporaryQueue.path(in: directory)
        )
        #expect(try TemporaryQueue.contents(of: directory).contains("CANARY-LATER"))

        let second = DeliveryEngine(clock: TestClock())
        let other = LineDestination(lane: LaneID(product: "T", service: "other"), purpose: .marketing)
        try await second.open(
            DeliveryConfiguration(directory: directory, destinations: [other], transport: ScriptedTransport())
        )
        _ = await second.flush(deadline: .seconds(5))

        #expect(try !TemporaryQueue.contents(of: directory).contains("CANARY-LATER"))
    }

    @Test func `what is tracked before a word belongs to the word before`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(nil, transport))
        engine.lane(destination.lane).track("granted", parameters: [:])
        try await engine.setConsent(.unknown, for: .analytics)
        engine.lane(destination.lane).track("unknown", parameters: [:])

        _ = await engine.flush(deadline: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        // The lane sends nothing without consent; what was tracked under it is not held, and waits in the queue.
        #expect(ledger.pending == 2)
        #expect(transport.requests.isEmpty)
        try await engine.setConsent(.granted, for: .analytics)
        #expect(await engine.flush(deadline: .seconds(5)).isDrained)
    }

    private func leave(_ canary: String, in directory: URL) async throws {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, ScriptedTransport { _, _ in .fail(.timedOut) }))
        engine.lane(destination.lane).track("viewed", parameters: ["canary": .string(canary)])
        await engine.close(deadline: .zero)
    }

    private func configuration(_ directory: URL?, _ transport: ScriptedTransport) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: directory, destinations: [destination], transport: transport)
    }
}

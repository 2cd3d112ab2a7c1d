import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(5))) struct FlushTests {
    @Test(
        arguments: [
            (ScriptedTransport.Action.fail(.connectionFailed(code: 101)), FlushReport.Outcome.waiting),
            (.status(503), .waiting), (.asking(for: 60), .waiting), (.status(401), .paused(.credentials)),
            (.fail(.untrusted), .paused(.trust)), (.hang, .timedOut),
        ]
    )
    func `a flush without time returns, and reports why nothing was delivered`(
        action: ScriptedTransport.Action,
        outcome: FlushReport.Outcome
    ) async throws {
        let harness = LaneHarness { _, _ in action }
        harness.track(1...3)
        try await harness.open()
        await harness.transport.requests(count: 1)

        // Without time it may be too early for a reason; with as little as there can be it is not.
        let hasReason = outcome != .timedOut
        let none = await harness.engine.flush(timeout: .zero)
        let report = await harness.engine.flush(timeout: hasReason ? .milliseconds(1) : .zero)

        #expect(none.lanes.count == 1)
        #expect(report.lanes.map(\.outcome) == [outcome])
        #expect(report.lanes.map(\.pending) == [3])
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `a flush without consent returns, and the events wait for consent`() async throws {
        let harness = LaneHarness()
        try await harness.open(defaultConsent: .unknown)
        harness.track(1...1)

        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.lanes.map(\.outcome) == [.withoutConsent])
        #expect(harness.transport.requests.isEmpty)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `a flush of a closed engine returns at once, and does not report stored events as delivered`()
        async throws
    {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let harness = LaneHarness(directory: directory) { _, _ in .fail(.timedOut) }
        harness.track(1...3)
        try await harness.open()
        await harness.engine.close(timeout: .zero)

        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.lanes.map(\.outcome) == [.notOpen])
        #expect(report.lanes.map(\.pending) == [3])
        #expect(await harness.engine.quarantine.retry([.stub(1)]) == 0)
        #expect(await harness.engine.quarantine.events().isEmpty)
    }

    @Test func `a flush ends although each delivery causes new events, and covers all earlier events`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let lane = engine.lane(LineDestination().lane)
        let transport = ScriptedTransport { _, number in
            lane.track("echo", parameters: ["n": .int(1_000 + number)])
            return .status(200)
        }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: transport)
        )

        for round in 1...20 {
            lane.track("viewed", parameters: ["n": .int(round)])
            let report = await engine.flush(timeout: .seconds(5))
            let hasArrived = transport.requests.contains { $0.numbers.contains(round) }
            #expect(report.isDrained && hasArrived)
        }
        await engine.close(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.accepted == ledger.delivered + ledger.pending + ledger.droppedTotal)
        #expect(ledger.delivered >= 20)
    }

    @Test func `a flush that finds only events that are too old is drained at once`() async throws {
        let harness = LaneHarness(budget: DeliveryBudget(age: .seconds(60))) { _, _ in .asking(for: 100) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        let wait = try #require(await diagnostics.nextRetry())

        harness.clock.advance(by: wait)
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(await harness.ledger.dropped == [.expired: 1])
        try await LedgerCheck.check(harness.engine)
    }
}

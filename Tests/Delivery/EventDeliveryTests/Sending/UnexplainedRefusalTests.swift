import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import EventDeliveryScenes

/// Tests of batches refused without a reason.
@Suite(.timeLimit(.minutes(5))) struct UnexplainedRefusalTests {
    @Test(arguments: [[1], [8], [5], [1, 2], [3, 4, 8]])
    func `a batch is sent five times, then its invalid events are found and the others arrive in order`(
        poisons: [Int]
    ) async throws {
        let harness = LaneHarness { request, _ in
            request.numbers.contains(where: poisons.contains) ? .status(418) : .status(200)
        }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        harness.track(1...16)
        try await harness.open()

        for _ in 1..<5 { harness.clock.advance(by: try #require(await diagnostics.nextRetry())) }
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(harness.transport.requests.prefix(5).allSatisfy { $0 == harness.transport.requests[0] })
        let refused = await harness.engine.quarantine.events()
        #expect(refused.map { $0.fragment.numbers } == poisons.map { [$0] })
        #expect(refused.allSatisfy { $0.reason == "status 418" })
        let arrived = harness.transport.requests.map(\.numbers).filter { !$0.contains(where: poisons.contains) }
        #expect(arrived.flatMap(\.self) == (1...16).filter { !poisons.contains($0) })
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `a single event that gets a temporary 418 waits for its back-off and is delivered`() async throws {
        let harness = LaneHarness { _, number in number <= 3 ? .status(418) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)

        var waits: [Duration] = []
        for _ in 1...3 {
            waits.append(try #require(await diagnostics.nextRetry()))
            harness.clock.advance(by: waits.last ?? .zero)
        }
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(waits.reduce(.zero, +) <= .seconds(7))
        #expect(report.isDrained)
        #expect(await harness.ledger.delivered == 1)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `an event that is refused alone waits until another event shows whether it is invalid`() async throws {
        let harness = LaneHarness { request, _ in request.numbers.contains(1) ? .status(418) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        for _ in 1...8 { harness.clock.advance(by: try #require(await diagnostics.nextRetry())) }
        let wait = try #require(await diagnostics.nextRetry())
        let alone = await harness.ledger
        let explanation = await harness.engine.statistics().first?.explanation

        harness.track(2...5)
        await harness.engine.storeBuffered()
        harness.clock.advance(by: wait)
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(alone.pending == 1 && alone.quarantined == 0)
        #expect(explanation?.hasPrefix("the receiver is busy or fails (status 418)") == true)
        #expect(report.isDrained)
        #expect(harness.transport.requests.map(\.numbers) == (1...10).map { _ in [1] } + [[2, 3, 4, 5]])
        #expect(await harness.ledger.delivered == 4)
        #expect(await harness.ledger.quarantined == 1)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `if eight events are refused alone in a row, the lane pauses and all of them are sent again in order`()
        async throws
    {
        let harness = LaneHarness { _, number in number <= 20 ? .status(451) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        harness.track(1...16)
        try await harness.open()
        for _ in 1..<5 { harness.clock.advance(by: try #require(await diagnostics.nextRetry())) }

        let wait = await harness.clock.nextSleep { $0 >= .seconds(9) && $0 <= .seconds(10) }
        let paused = await harness.engine.statistics().first
        harness.clock.advance(by: wait)
        await harness.transport.requests(count: 21)
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(paused?.pauseReason == .protocolMismatch)
        #expect(paused?.ledger.pending == 16 && paused?.ledger.quarantined == 0)
        #expect(report.isDrained)
        #expect(harness.transport.requests.dropFirst(20).flatMap(\.numbers) == Array(1...16))
        try await LedgerCheck.check(harness.engine)
    }

    @Test(arguments: [
        (
            Array(repeating: BatchResult.suspect("no"), count: 5) + [.retry(after: nil)],
            [[1], [1], [1], [1], [1], [2], [1], [2]]
        ),
        (Array(repeating: .retry(after: nil), count: 4) + [.suspect("no")], [[1], [1], [1], [1], [1], [1], [2]]),
    ]) func `a fault of the network between or before refusals makes no event invalid`(
        results: [BatchResult],
        requests: [[Int]]
    ) async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        let destination = JudgingDestination(base: harness.destination, results: results)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: harness.transport)
        )
        let lane = engine.lane(harness.destination.lane)
        lane.track("viewed", parameters: ["n": 1])
        let first = try #require(await diagnostics.nextRetry())
        lane.track("viewed", parameters: ["n": 2])
        await engine.storeBuffered()

        harness.clock.advance(by: first)
        for _ in 2...5 { harness.clock.advance(by: try #require(await diagnostics.nextRetry())) }
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(harness.transport.requests.map(\.numbers) == requests)
        #expect(await engine.quarantine.events().isEmpty)
        try await LedgerCheck.check(engine)
    }

    // Seed 72137482, in memory: the retried event came after the batches behind it.
    @Test func `after a partial response, a retried event is sent before later batches`() async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        let suspects = (1...9).map { _ in BatchResult.suspect("no") }
        let destination = JudgingDestination(base: harness.destination, results: suspects + [.partial([1: .retry])])
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        let lane = engine.lane(harness.destination.lane)
        for number in 1...8 { lane.track("viewed", parameters: ["n": number]) }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: harness.transport)
        )
        for _ in 1...5 { harness.clock.advance(by: try #require(await diagnostics.nextRetry())) }
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let search = [[1, 2, 3, 4], [1, 2], [1], [2], [3, 4]]
        #expect(
            harness.transport.requests.map(\.numbers)
                == (1...5).map { _ in Array(1...8) } + search + [[4], [5, 6, 7, 8]]
        )
        #expect(await engine.quarantine.events().map(\.fragment.numbers) == [[1], [2]])
        try await LedgerCheck.check(engine)
    }
}

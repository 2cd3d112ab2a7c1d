import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct LossDiagnosticTests {
    private let lane = LineDestination().lane

    @Test func `the first loss is reported at once, although nothing can be stored`() async {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 1)
        var diagnostics = engine.diagnostics().makeAsyncIterator()

        for _ in 1...3 { engine.lane(lane).track("viewed", parameters: [:]) }

        #expect(await diagnostics.next() == .dropped(lane: lane, reason: .bufferFull, count: 1))
    }

    @Test func `all reports together have each loss once, and the next loss after a report is reported at once`()
        async throws
    {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 2)
        let stream = engine.diagnostics()
        let losses = 5
        // With one thread, one shard counts all losses.
        for _ in 0..<(2 + losses) { engine.lane(lane).track("viewed", parameters: [:]) }
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [LineDestination()],
                transport: ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
            )
        )
        await engine.storeBuffered()
        engine.lane(lane).track("too deep", parameters: ["d": (0..<100).reduce(1) { value, _ in [value] }])
        await engine.storeBuffered()
        let ledger = await engine.statistics().first?.ledger
        await engine.close(timeout: .zero)

        var dropped: [DropReason: [Int]] = [:]
        for await case .dropped(lane, let reason, let count) in stream { dropped[reason, default: []].append(count) }
        #expect(dropped == [.bufferFull: [1, losses - 1], .tooDeep: [1], .closed: [2]])
        #expect(ledger?.dropped == [.bufferFull: losses, .tooDeep: 1])
    }
}

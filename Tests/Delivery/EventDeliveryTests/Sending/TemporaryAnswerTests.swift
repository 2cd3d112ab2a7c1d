import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

/// Answers of gateways and proxies that are true for a moment, over real sockets.
@Suite(.timeLimit(.minutes(2))) struct TemporaryAnswerTests {
    @Test(arguments: [
        302, 401, 403, 404, 405, 407, 408, 409, 410, 415, 421, 425, 429, 451, 499, 500, 501, 502, 503, 504, 505, 506,
        507, 508, 509, 510, 511, 520,
    ])
    func `one temporary answer delays a lane by at most ten seconds`(status: Int) async throws {
        let collector = try LoopbackCollector(script: .sequence([.accept, .status(status)], then: .accept))
        let destination = LineDestination(endpoint: collector.url.url)
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let lane = engine.lane(destination.lane)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination]))

        lane.track("viewed", parameters: [:])
        _ = await collector.requests(count: 1)
        lane.track("viewed", parameters: [:])
        _ = await clock.nextSleep { $0 >= .milliseconds(500) && $0 <= .seconds(10) }
        clock.advance(by: .seconds(10))
        _ = await collector.requests(count: 3)
        let report = await engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        #expect(await engine.statistics().first?.ledger.delivered == 2)
        await engine.close(timeout: .zero)
    }
}

import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

/// Answers of gateways and proxies that are true for a moment, over real sockets.
@Suite(.timeLimit(.minutes(2))) struct TemporaryAnswerTests {
    @Test(
        arguments: [
            302, 401, 403, 404, 405, 407, 408, 409, 410, 415, 421, 425, 429, 451, 499, 500, 501, 502, 503, 504, 505,
            506, 507, 508, 509, 510, 511, 520,
        ],
        [false, true]
    )
    func `one temporary answer delays a lane by at most ten seconds, even if it is the first one`(
        status: Int,
        isFirst: Bool
    ) async throws {
        let answers: [CollectorAction] = isFirst ? [.status(status), .accept] : [.accept, .status(status)]
        let collector = try LoopbackCollector(script: .sequence(answers, then: .accept))
        let destination = LineDestination(endpoint: collector.url.url)
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let lane = engine.lane(destination.lane)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination]))

        lane.track("viewed", parameters: [:])
        _ = await collector.requests(count: 1)
        if !isFirst {
            lane.track("viewed", parameters: [:])
            // If the response was quicker, the event would wait for the end of the writer's window.
            await engine.storeBuffered()
        }
        _ = await clock.nextSleep { $0 >= .milliseconds(500) && $0 <= .seconds(10) }
        clock.advance(by: .seconds(10))
        _ = await collector.requests(count: isFirst ? 2 : 3)
        let report = await engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        #expect(await engine.statistics().first?.ledger.delivered == (isFirst ? 1 : 2))
        await engine.close(timeout: .zero)
    }

    @Test func `two services that hang behind a gateway do not delay a third one`() async throws {
        let hold = CollectorHold()
        let script = CollectorScript.accept.when({ $0.contains("hung") }, .hold(hold, then: .accept))
        let collector = try LoopbackCollector(script: script)
        let limits = BatchLimits(events: 1, bodyBytes: 1_000, inFlight: 6)
        let destinations = ["a", "b", "healthy"].map {
            LineDestination(
                lane: LaneID(product: "T", service: $0),
                order: .none,
                limits: limits,
                endpoint: collector.url.url
            )
        }
        let engine = DeliveryEngine()
        let lanes = destinations.map { engine.lane($0.lane) }
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: destinations))

        for lane in lanes.dropLast() { for _ in 1...6 { lane.track("hung", parameters: [:]) } }
        _ = await collector.requests(count: 8)
        let start = ContinuousClock.now
        lanes.last?.track("viewed", parameters: [:])
        let requests = await collector.requests(count: 13)
        let time = ContinuousClock.now - start
        hold.release()

        #expect(requests.count { $0.contains("viewed") } == 1)
        // An idle machine needs a fifth of a second. The deadline of the requests that hang is thirty seconds.
        #expect(time < .seconds(10))
        #expect(await engine.flush(timeout: .seconds(60)).isDrained)
        await engine.close(timeout: .zero)
    }
}

import CoreTracker
import EventDelivery
import EventDeliveryTesting
import ServerDelivery
import Testing

@Suite(.timeLimit(.minutes(1))) struct TimedHoldTests {
    private let clock = TestClock()
    private let engine: DeliveryEngine
    private let lane = LineDestination().lane

    private let configuration = DeliveryConfiguration(
        directory: nil,
        destinations: [LineDestination()],
        transport: ScriptedTransport()
    )

    init() {
        engine = DeliveryEngine(clock: clock)
    }

    @Test func `a maintenance window holds the lane from its start until its end`() async throws {
        try await engine.open(configuration)
        let (start, end) = (clock.wallTime().advanced(bySeconds: 3_600), clock.wallTime().advanced(bySeconds: 7_200))
        let window = Task { [engine, lane] in
            await engine.hold(lane, from: start, until: end)
        }

        let wait = await clock.nextSleep { $0 <= .seconds(60) }
        let before = try #require(await engine.statistics().first)
        clock.advance(by: .seconds(3_600))
        _ = await clock.nextSleep { $0 <= .seconds(60) }
        let during = try #require(await engine.statistics().first)
        clock.advance(by: .seconds(3_600))
        await window.value

        #expect(wait == .seconds(60))
        #expect(before.holdReasons.isEmpty)
        #expect(during.holdReasons == [.maintenance])
        #expect(await engine.statistics().first?.holdReasons == [])
    }

    @Test func `a window that is over holds nothing, and a cancelled one ends its hold`() async throws {
        try await engine.open(configuration)
        let now = clock.wallTime()
        await engine.hold(from: now.advanced(bySeconds: -60), until: now)
        let window = Task { [engine] in await engine.hold(from: now, until: now.advanced(bySeconds: 3_600)) }
        _ = await clock.nextSleep { $0 <= .seconds(60) }
        let during = try #require(await engine.statistics().first)

        window.cancel()
        await window.value

        #expect(during.holdReasons == [.maintenance])
        #expect(await engine.statistics().first?.holdReasons == [])
    }
}

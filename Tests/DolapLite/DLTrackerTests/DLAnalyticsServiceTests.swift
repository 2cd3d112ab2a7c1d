import Analytics
import CoreTracker
import CoreTrackerTesting
import DLTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct DLAnalyticsServiceTests {
    private let step = Journey.Event(name: "basketOpened", properties: ["itemCount": 2])

    @Test func `a step is accepted by Dolap Lite's lane of the engine`() async throws {
        let engine = DeliveryEngine(clock: TestClock())

        DLAnalyticsService(on: engine).send(event: step)

        let lane = try #require(await engine.statistics().first)
        #expect(lane.id == LaneID(product: "DL", service: "googleAnalytics") && lane.ledger.accepted == 1)
    }

    @Test func `a step reaches another adapter unchanged`() {
        let adapter = MockGoogleAnalyticsAdapter()

        DLAnalyticsService(adapter: adapter).send(event: step)

        adapter.expect([GoogleEvent("basketOpened", ["itemCount": 2])])
    }
}

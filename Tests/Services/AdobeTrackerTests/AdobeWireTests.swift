import AdobeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@Suite struct AdobeWireTests {
    @Test(.timeLimit(.minutes(5)))
    func `over a real connection, waits are respected, retries identical, and 207 is final`() async throws {
        let limit = CollectorResponse(429, headers: [.init("Retry-After", "17")])
        let accepted = CollectorResponse(207, text: #"{"requestId":"r","errors":[{"title":"upstream"}]}"#)
        let collector = try LoopbackCollector(script: .sequence([.respond(limit)], then: .respond(accepted)))
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let adobe = try AdobeConfiguration(datastreamID: "d-1", endpoint: collector.url)
        let destination = AdobeDestination(product: "DL", configuration: adobe)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: PlatformTransport())
        )

        engine.lane(destination.lane).track("commerce.productViews", parameters: [:])
        let wait = try #require(await diagnostics.nextRetry())
        clock.advance(by: wait)
        let requests = await collector.requests(count: 2)
        let report = await engine.flush(deadline: .seconds(5))

        #expect(report.isDrained)
        #expect(wait >= .seconds(17))
        #expect(requests.map(\.body).count == 2)
        #expect(requests[0].body == requests[1].body)
        #expect(requests[0].query == requests[1].query)
        #expect(requests[0].query["datastreamId"] == "d-1")
        try await LedgerCheck.check(engine)
        collector.close()
    }
}

import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import SumoTracker
import Testing

@Suite struct SumoConnectionTests {
    @Test(.timeLimit(.minutes(5)))
    func `over a real connection lines arrive packed, after a throttle as well`() async throws {
        let collector = try LoopbackCollector(script: .sequence([.status(429)], then: .status(200)))
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let source = try SumoConfiguration(
            endpoint: collector.url.appending(path: "receiver/v1/http/ZaVnC4dh=="),
            metadata: SumoMetadata(category: "mobile/ios/tracking")
        )
        let destination = SumoDestination(product: "DL", configuration: source)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        let note = String(repeating: "the same again, ", count: 100)
        engine.lane(destination.lane).track("play_start", parameters: ["note": .string(note)])

        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: PlatformTransport())
        )
        clock.advance(by: try #require(await diagnostics.nextRetry()))
        let requests = await collector.requests(count: 2)
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(requests.map(\.path) == Array(repeating: "/receiver/v1/http/ZaVnC4dh==", count: 2))
        #expect(requests.allSatisfy { $0.headers["content-encoding"] == "gzip" })
        #expect(requests.allSatisfy { $0.headers["x-sumo-category"] == "mobile/ios/tracking" })
        #expect(requests.allSatisfy { $0.contains(note) })
        #expect(requests[0].body == requests[1].body)
        collector.close()
    }
}

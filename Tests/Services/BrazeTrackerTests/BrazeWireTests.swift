import BrazeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@Suite struct BrazeWireTests {
    @Test(.timeLimit(.minutes(5)))
    func `over a real connection a rate limit is waited for and a partial success quarantines one event`() async throws
    {
        let limit = CollectorResponse(
            429,
            headers: [.init("X-RateLimit-Reset", "1772359230"), .init("Date", "Sun, 01 Mar 2026 10:00:00 GMT")]
        )
        let partial = CollectorResponse(
            201,
            text: #"{"message":"success","errors":[{"type":"not valid","input_array":"events","index":0}]}"#
        )
        let collector = try LoopbackCollector(script: .sequence([.respond(limit), .respond(partial)]))
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let braze = try BrazeConfiguration(endpoint: collector.url, apiKey: "se-cret")
        let destination = BrazeDestination(product: "DL", configuration: braze)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: PlatformTransport())
        )

        engine.lane(destination.lane).track("play_start", parameters: [:])
        let wait = try #require(await diagnostics.nextRetry())
        clock.advance(by: wait)
        let requests = await collector.requests(count: 2)
        _ = await engine.flush(deadline: .seconds(5))

        #expect(wait >= .seconds(30))
        #expect(wait <= .seconds(40))
        #expect(requests.map(\.path) == ["/users/track", "/users/track"])
        #expect(Set(requests.map(\.body)).count == 1)
        #expect(requests.allSatisfy { $0.headers["authorization"] == "Bearer se-cret" })
        #expect(await engine.quarantined().map(\.reason) == ["status 201, not valid"])
        try await LedgerCheck.check(engine)
        collector.close()
    }
}

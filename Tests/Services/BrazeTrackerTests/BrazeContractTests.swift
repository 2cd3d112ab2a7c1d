import BrazeTracker
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct BrazeContractTests {
    @Test(arguments: DestinationContract.checks)
    func `Braze's destination keeps the contract`(check: DestinationContract.Check) async throws {
        let key: Secret = "se-cret"
        let braze = try BrazeConfiguration(endpoint: Endpoint("https://rest.fra-01.braze.eu"), apiKey: key)
        let errors = #"{"message":"success","errors":[{"type":"bad","input_array":"events","index":1}]}"#
        let subject = DestinationContract.Subject(
            BrazeDestination(product: "DL", configuration: braze),
            acknowledgement: HTTPResponse(status: 201),
            bodies: [
                .init(
                    "minimal.json",
                    of: [.stub(identity: .stub(userID: "u-8841"))],
                    is: try Fixture.text("minimal.json")
                )
            ],
            limits: [
                .init("name_too_long", at: 255) { .stub(name: String(repeating: "n", count: $0)) },
                .init("key_too_long", at: 255) {
                    .stub(parameters: [ParameterKey(String(repeating: "k", count: $0)): 1])
                },
                .init("value_too_long", at: 255) {
                    .stub(parameters: ["x": .string(String(repeating: "v", count: $0))])
                },
                .init("too_many_parameters", at: 255) { .stub(parameters: .numbered($0)) },
                .init("user_id_too_long", at: 987) {
                    .stub(identity: .stub(userID: String(repeating: "u", count: $0)))
                },
            ],
            statuses: [
                200: .delivered, 201: .delivered, 302: .paused(.intercepted), 400: .refused("status 400"),
                401: .paused(.credentials), 404: .paused(.endpoint), 413: .tooLarge, 429: .retry(after: nil),
                500: .retry(after: nil), 503: .retry(after: nil),
            ],
            responses: [
                .init(HTTPResponse(status: 201, body: Array(errors.utf8)), means: .partial([1: .refused("bad")])),
                .init(HTTPResponse(status: 429, headers: ["Retry-After": "7"]), means: .retry(after: .seconds(7))),
            ],
            receiver: .braze,
            secrets: [key.value],
            tracker: { BrazeTracker(product: "DL", on: $0) }
        )

        try await check.run(subject)
    }
}

@Suite struct BrazeWireTests {
    @Test(.timeLimit(.minutes(5)))
    func `over a real connection, a rate limit is respected and a partial success quarantines one event`() async throws
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
        _ = await engine.flush(timeout: .seconds(5))

        #expect(wait >= .seconds(30))
        #expect(wait <= .seconds(40))
        #expect(requests.map(\.path) == ["/users/track", "/users/track"])
        #expect(Set(requests.map(\.body)).count == 1)
        #expect(requests.allSatisfy { $0.headers["authorization"] == "Bearer se-cret" })
        #expect(await engine.quarantine.events().map(\.reason) == ["status 201, not valid"])
        try await LedgerCheck.check(engine)
        collector.close()
    }
}

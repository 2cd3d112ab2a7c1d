import AwesomeTracking
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

/// Gateways in front of a receiver, over a socket.
@Suite(.timeLimit(.minutes(1))) struct GatewayTests {
    @Test(arguments: [400, 415, 422], [false, true])
    func `a gateway that cannot read gzip gets every event without it`(status: Int, isOTLP: Bool) async throws {
        let collector = try LoopbackCollector(services: .all, script: GatewayTests.script(status))
        let engine = DeliveryEngine(clock: TestClock())
        let destination = try makeDestination(at: collector, isOTLP: isOTLP)
        let lane = engine.lane(destination.lane)
        for length in [1, 2_000, 1, 2_000] {
            lane.track("viewed", parameters: ["text": .string(String(repeating: "x", count: length))])
        }

        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination]))
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(await engine.statistics().first?.ledger.delivered == 4)
        #expect(collector.requests.map { $0.headers["content-encoding"] == "gzip" } == [true, false])
    }

    @Test(arguments: ["", " \r\n"], [false, true])
    func `a gateway whose acknowledgement is blank and says HTML has every event once`(
        body: String,
        isOTLP: Bool
    ) async throws {
        let type = CollectorResponse.Header("Content-Type", "text/html; charset=utf-8")
        let response = CollectorResponse(200, headers: [type], text: body)
        let collector = try LoopbackCollector(services: .all, script: .always(.respond(response)))
        let engine = DeliveryEngine(clock: TestClock())
        let destination = try makeDestination(at: collector, isOTLP: isOTLP)
        for number in 1...20 { engine.lane(destination.lane).track("viewed", parameters: ["n": .int(number)]) }

        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination]))
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained && report.lanes.map(\.delivered) == [20])
        #expect(await engine.statistics().first?.explanation == nil)
        #expect(collector.requests.count == 1)
    }

    @Test(arguments: [404, 405, 410, 421], [false, true])
    func `a gateway that restarts without its routes delays its lane by seconds`(
        status: Int,
        isOTLP: Bool
    ) async throws {
        let script = CollectorScript.sequence([.accept, .status(status), .status(status)], then: .accept)
        let collector = try LoopbackCollector(services: .all, script: script)
        let (clock, destination) = (TestClock(), try makeDestination(at: collector, isOTLP: isOTLP))
        let engine = DeliveryEngine(clock: clock)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        let lane = engine.lane(destination.lane)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination]))
        lane.track("viewed", parameters: [:])
        _ = await engine.flush(timeout: .seconds(5))

        lane.track("viewed", parameters: [:])
        for longest in [1, 2] {
            let wait = try #require(await diagnostics.nextRetry())
            #expect(wait <= .seconds(longest))
            clock.advance(by: wait)
        }
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(await engine.statistics().first?.ledger.delivered == 2)
        #expect(collector.requests.count == 4)
    }

    @Test func `further headers are sent, and bodies are not compressed if the option is off`() throws {
        let options = try RequestOptions(compressesBodies: false, headers: ["X-Scope-OrgID": "t"])
        let rows = try ClickHouseDestination.stub(.stub(token: "p", requests: options)).request(carrying: [.stub()])
        let records = try OTLPDestination.stub(.stub(authorization: "p", requests: options)).request(carrying: [.stub()]
        )

        for request in [rows, records] {
            #expect(request.headers.map(\.name) == ["Content-Type", "Authorization", "X-Scope-OrgID"])
            #expect(request.headers.last?.value == "t")
            #expect(!request.allowsGzip)
        }
    }

    @Test func `a further header that the configuration sets is refused`() throws {
        let twice = ConfigurationError.invalidValue(
            field: "headers",
            expected: "without authorization, which the configuration sets"
        )
        let options = try RequestOptions(headers: ["authorization": "x"])

        #expect(throws: twice) { try ClickHouseConfiguration.stub(token: "t", requests: options) }
        #expect(throws: twice) { try OTLPConfiguration.stub(authorization: "t", requests: options) }
        #expect(throws: ConfigurationError.self) {
            try ClickHouseConfiguration.stub(
                idempotencyHeader: "X-Batch",
                requests: RequestOptions(headers: ["x-batch": "1"])
            )
        }
        _ = try ClickHouseConfiguration.stub(user: "u", requests: options)
    }

    @Test func `no description of a configuration contains a further header's value`() throws {
        let options = try RequestOptions(headers: ["X-Tenant": "s3cret"])
        let values: [any Sendable] = [
            try ClickHouseConfiguration.stub(requests: options), try OTLPConfiguration.stub(requests: options),
            try ClickHouseDestination.stub(.stub(requests: options)),
            try OTLPDestination.stub(.stub(requests: options)),
        ]

        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!"\(value) \(String(reflecting: value)) \(dumped)".contains("s3cret"))
        }
    }

    private func makeDestination(at collector: LoopbackCollector, isOTLP: Bool) throws -> any Destination {
        let endpoint = "http://127.0.0.1:\(collector.port)"
        return isOTLP
            ? try OTLPDestination.stub(.stub(endpoint: endpoint))
            : try ClickHouseDestination.stub(.stub(endpoint: endpoint))
    }

    private static func script(_ status: Int) -> CollectorScript {
        .accept.when({ $0.headers["content-encoding"] == "gzip" }, .status(status))
    }
}

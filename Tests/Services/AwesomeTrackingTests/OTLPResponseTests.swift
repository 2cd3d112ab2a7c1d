import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import AwesomeTracking

@Suite struct OTLPResponseTests {
    @Test(arguments: [
        "", "{}", "[]", "null", "nonsense", #"{"partialSuccess":null}"#, #"{"partialSuccess":{}}"#,
        #"{"partialSuccess":{"errorMessage":""}}"#, #"{"partialSuccess":{"rejectedLogRecords":"0"}}"#,
        #"{"partialSuccess":{"rejectedLogRecords":-1}}"#, #"{"partialSuccess":{"rejectedLogRecords":"many"}}"#,
    ])
    func `a response that rejects nothing acknowledges all`(body: String) {
        #expect(result(body) == .delivered)
    }

    @Test(arguments: [
        (#"{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"bad"}}"#, 2),
        (#"{"partialSuccess":{"rejectedLogRecords":1}}"#, 1),
        (#"{"partialSuccess":{"rejectedLogRecords":"3"}}"#, 3),
        (#"{"partialSuccess":{"rejectedLogRecords":"9223372036854775807"}}"#, 3),
    ])
    func `as many events as are rejected are dropped, but no more than the batch has`(body: String, lost: Int) {
        let expected = Dictionary(
            uniqueKeysWithValues: (0..<lost).map { ($0, BatchResult.EventResult.dropped("rejected_by_receiver")) }
        )

        #expect(result(body) == .partial(expected))
    }

    @Test func `a message without rejected records acknowledges all, with a warning`() {
        #expect(result(#"{"partialSuccess":{"errorMessage":"this key expires in 3 days"}}"#) == .partial([:]))
        #expect(result(#"{"partialSuccess":{"rejectedLogRecords":"0","errorMessage":"hm"}}"#) == .partial([:]))
    }

    @Test func `an empty batch loses no events`() {
        let response = HTTPResponse(status: 200, body: Array(#"{"partialSuccess":{"rejectedLogRecords":1}}"#.utf8))

        #expect(OTLPResponse.result(for: response, events: 0) == .delivered)
    }

    private func result(_ body: String) -> BatchResult {
        OTLPResponse.result(for: HTTPResponse(status: 200, body: Array(body.utf8)), events: 3)
    }
}

@Suite struct ResponsePolicyOTLPTests {
    @Test(arguments: 200...599)
    func `only 429, 502, 503 and 504 are repeated unchanged`(status: Int) {
        let result = ResponsePolicy.otlp.result(for: HTTPResponse(status: status))

        #expect((result == .retry(after: nil)) == [429, 502, 503, 504].contains(status))
    }

    @Test(arguments: [("", BatchResult.delivered), (" \n", .delivered), ("<p>Sign in", .paused(.intercepted))])
    func `only an HTML body that is not blank is a page`(body: String, result: BatchResult) throws {
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array(body.utf8))
        let destination = try OTLPDestination.stub()

        #expect(destination.result(for: response, of: try destination.batch(of: [.stub()])) == result)
    }

    @Test func `a wait that the receiver asks for is respected`() {
        let response = HTTPResponse(status: 503, headers: ["Retry-After": "7"])

        #expect(ResponsePolicy.otlp.result(for: response) == .retry(after: .seconds(7)))
    }
}

@Suite(.timeLimit(.minutes(1))) struct OTLPDeliveryTests {
    @Test func `a warning is explained until the next acknowledgement without one, and all events are delivered`()
        async throws
    {
        let warning = Array(#"{"partialSuccess":{"errorMessage":"this key expires in 3 days"}}"#.utf8)
        let transport = ScriptedTransport { _, number in
            .respond(HTTPResponse(status: 200, body: number == 1 ? warning : []))
        }
        let (engine, lane) = try await open("https://collector.example", transport)

        engine.lane(lane).track("viewed", parameters: [:])
        _ = await engine.flush(timeout: .seconds(5))
        let warned = try #require(await engine.statistics().first { $0.id == lane })
        engine.lane(lane).track("viewed", parameters: [:])
        _ = await engine.flush(timeout: .seconds(5))
        let last = try #require(await engine.statistics().first { $0.id == lane })

        #expect(warned.lastFailure?.kind == .warned)
        #expect(warned.lastFailure?.response.contains("expires in 3 days") == true)
        #expect(warned.explanation?.contains("accepts the events with a warning (status 200)") == true)
        #expect(last.lastFailure == nil && last.explanation == nil && last.ledger.delivered == 2)
    }

    @Test(arguments: [
        ("http://otel-collector:4318", ["otel-collector:4318"]), ("http://10.0.0.5", ["10.0.0.5:80"]),
        ("http://[fd00::1]:80", ["[fd00::1]:80"]), ("http://127.0.0.1:4318", nil), ("http://[::1]", nil),
        ("https://collector.example", nil as [String]?),
    ]) func `an unencrypted receiver is reported once, unless it is this machine`(
        address: String,
        receivers: [String]?
    ) async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let diagnostics = engine.diagnostics()

        _ = try await open(address, ScriptedTransport(), on: engine)
        await engine.close(timeout: .zero)
        var found: [[String]] = []
        for await diagnostic in diagnostics {
            if case .unencrypted(let receivers) = diagnostic { found.append(receivers) }
        }

        #expect(found == [receivers].compactMap(\.self))
    }

    private func open(
        _ address: String,
        _ transport: ScriptedTransport,
        on engine: DeliveryEngine = DeliveryEngine(clock: TestClock())
    ) async throws -> (DeliveryEngine, LaneID) {
        let configuration = try OTLPConfiguration(endpoint: Endpoint(unencrypted: address))
        let destinations = ["T", "U"].map { OTLPDestination(product: $0, configuration: configuration) }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: destinations, transport: transport)
        )
        return (engine, LaneID.awesomeTracking(product: "T"))
    }
}

import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct FirebaseContractTests {
    @Test(arguments: DestinationContract.checks)
    func `the Measurement Protocol's destination keeps the contract`(check: DestinationContract.Check) async throws {
        let subject = DestinationContract.Subject(
            try FirebaseDestination.stub(),
            sample: Self.sample(),
            acknowledgement: HTTPResponse(status: 204),
            bodies: [.init("purchase.json", of: GoldenBody.purchase.events, is: try Fixture.text("purchase.json"))],
            limits: [
                .init("name_too_long", at: 40) { Self.sample(name: String(repeating: "n", count: $0)) },
                .init("key_too_long", at: 40) { Self.sample([ParameterKey(String(repeating: "k", count: $0)): 1]) },
                .init("value_too_long", at: 100) { Self.sample(["x": .string(String(repeating: "v", count: $0))]) },
            ],
            statuses: [
                200: .delivered, 204: .delivered, 302: .paused(.intercepted), 400: .suspect("status 400"),
                401: .paused(.credentials), 403: .paused(.credentials), 404: .paused(.endpoint), 413: .tooLarge,
                414: .paused(.endpoint), 429: .retry(after: nil), 500: .retry(after: nil), 503: .retry(after: nil),
            ],
            receiver: .appStream,
            secrets: ["s3cret"]
        )

        try await check.run(subject)
    }

    private static func sample(name: String = "play_start", _ parameters: EventParameters = [:]) -> OutgoingEvent {
        OutgoingEvent(
            id: EventID(high: 0x0198_C7E2_5F0A_7C31, low: 0x9A55_1F2E_3D4C_5B01),
            name: name,
            parameters: parameters,
            time: Timestamp(microseconds: 1_772_359_200_000_000),
            identity: Identity(
                deviceID: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
                sessionID: "1772359000",
                sessionStart: Timestamp(microseconds: 1_772_359_000_000_000)
            ),
            sequence: 1
        )
    }
}

@Suite(.timeLimit(.minutes(5))) struct FirebaseDeliveryTests {
    @Test func `events reach the product's lane with the defaults of their moment`() async throws {
        let clock = TestClock(wall: .now)
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 204)) }
        let engine = DeliveryEngine(clock: clock)
        let destination = try FirebaseDestination.stub()
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        let service = ServiceWithDefaults(LaneService(product: "DL", on: engine)) {
            ["storefront": "NL", "step": 0]
        }

        service.track(FirebaseEvent(name: "view_item", parameters: ["step": 1]))
        let report = await engine.flush(timeout: .seconds(5))

        let body = String(decoding: try #require(transport.requests.first).body, as: UTF8.self)
        #expect(report.isDrained)
        #expect(body.contains(#""name":"view_item","timestamp_micros":\#(Timestamp.now.microseconds),"#))
        #expect(body.contains(#""step":1,"storefront":"NL","session_id":"#))
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: ServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract.Check) async throws {
        let destination = RecordingDestination(lane: .firebase(product: "DL"))
        let engine = try await destination.makeEngine()
        let service = ServiceWithDefaults(LaneService(product: "DL", on: engine)) { ["currency": "TRY"] }

        try await check.run(
            .firebase(service) {
                _ = await engine.flush(timeout: .seconds(5))
                return destination.events.map { FirebaseEvent(name: $0.name, parameters: $0.mergedParameters) }
            }
        )
    }

    @Test func `a broken rule is counted in the lane's ledger under its name`() async throws {
        let engine = DeliveryEngine(clock: TestClock(wall: .now))
        let destination = try FirebaseDestination.stub()
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: ScriptedTransport())
        )
        let service = LaneService(product: "DL", on: engine)

        service.track(FirebaseEvent(name: "session_start"))
        service.track(FirebaseEvent(name: "viewed", parameters: ["bad-key": 1]))
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.dropped == [.rule("name_reserved"): 1])
        #expect(ledger.adjusted == ["key_invalid": 1])
        #expect(ledger.delivered == 1)
        try await LedgerCheck.check(engine)
    }
}

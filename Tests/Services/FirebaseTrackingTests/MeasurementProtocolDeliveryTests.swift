import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Testing

@Suite struct MeasurementProtocolDeliveryTests {
    @Test func `events reach the product's lane with the defaults of their moment`() async throws {
        let clock = TestClock(wall: .now)
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 204)) }
        let engine = DeliveryEngine(clock: clock)
        let destination = MeasurementProtocolDestination(product: "DL", configuration: try .stub()) { clock.wallTime() }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        let service = ScopedService(LaneService(product: "DL", delivery: engine)) { ["storefront": "NL", "step": 0] }

        service.track(FirebaseEvent(name: "view_item", parameters: ["step": 1]))
        let report = await engine.flush(deadline: .seconds(5))

        let body = String(decoding: try #require(transport.requests.first).body, as: UTF8.self)
        #expect(report.isDrained)
        #expect(body.contains(#""name":"view_item","timestamp_micros":\#(Timestamp.now.microseconds),"#))
        #expect(body.contains(#""step":1,"storefront":"NL","session_id":"#))
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: FirebaseServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: .firebase(product: "DL"))
        let engine = try await destination.makeEngine()
        let service = ScopedService(LaneService(product: "DL", delivery: engine)) { ["currency": "TRY"] }

        try await FirebaseServiceContract.run(check, on: service) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { FirebaseEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }

    @Test func `a broken rule is counted in the lane's ledger under its name`() async throws {
        let clock = TestClock(wall: .now)
        let engine = DeliveryEngine(clock: clock)
        let destination = MeasurementProtocolDestination(product: "DL", configuration: try .stub()) { clock.wallTime() }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: ScriptedTransport())
        )
        let service = LaneService(product: "DL", delivery: engine)

        service.track(FirebaseEvent(name: "session_start"))
        service.track(FirebaseEvent(name: "viewed", parameters: ["bad-key": 1]))
        _ = await engine.flush(deadline: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.dropped == [.rule("name_reserved"): 1])
        #expect(ledger.adjusted == ["key_invalid": 1])
        #expect(ledger.delivered == 1)
        try await LedgerCheck.check(engine)
    }
}

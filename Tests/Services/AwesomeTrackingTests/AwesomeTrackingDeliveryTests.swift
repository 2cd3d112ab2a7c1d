import AwesomeTracking
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@Suite(.timeLimit(.minutes(5))) struct AwesomeTrackingDeliveryTests {
    @Test func `defaults are those at the time of tracking, and own parameters override them`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [try ClickHouseDestination.stub()],
                transport: transport
            )
        )
        let calls = Mutex(0)
        let client = ServiceWithDefaults(LaneService(product: "DL", on: engine)) {
            [
                "call": .int(
                    calls.withLock {
                        $0 += 1
                        return $0
                    }
                ), "channel": "app",
            ]
        }

        client.track(AwesomeTrackingEvent(name: "first"))
        client.track(AwesomeTrackingEvent(name: "second", parameters: ["channel": "own"]))
        let report = await engine.flush(timeout: .seconds(5))

        let rows = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(report.isDrained)
        #expect(calls.withLock(\.self) == 2)
        #expect(rows.contains(#""props":"{\"call\":1,\"channel\":\"app\"}"}"#))
        #expect(rows.contains(#""props":"{\"channel\":\"own\",\"call\":2}"}"#))
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: ServiceContract.checks)
    func `keeps the contract of an AwesomeTracking service`(check: ServiceContract.Check) async throws {
        let destination = RecordingDestination(lane: .awesomeTracking(product: "DL"))
        let engine = try await destination.makeEngine()
        let client = ServiceWithDefaults(LaneService(product: "DL", on: engine)) { ["currency": "TRY"] }

        try await check.run(
            .awesomeTracking(client) {
                _ = await engine.flush(timeout: .seconds(5))
                return destination.events.map { AwesomeTrackingEvent(name: $0.name, parameters: $0.mergedParameters) }
            }
        )
    }

    @Test(arguments: [true, false], ["", "4.2.0"])
    func `events stored in the other format are quarantined, and the lane continues`(
        endsInOTLP: Bool,
        version: String
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "format-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let rows = try ClickHouseDestination.stub(.stub(appVersion: version))
        let configuration = try OTLPConfiguration(endpoint: Endpoint("https://collector.example"), appVersion: version)
        let records = OTLPDestination(product: "DL", configuration: configuration)
        let kinds: [any Destination] = endsInOTLP ? [rows, records] : [records, rows]
        let (transport, clock) = (ScriptedTransport(), TestClock())
        for (destination, names) in zip(kinds, [["a", "b"], ["c"]]) {
            let engine = DeliveryEngine(clock: clock)
            if names == ["a", "b"] { engine.hold(reason: .maintenance) }
            try await engine.open(
                DeliveryConfiguration(directory: folder, destinations: [destination], transport: transport)
            )
            for name in names { engine.lane(destination.lane).track(name) }
            _ = await engine.flush(timeout: .seconds(5))

            let ledger = try #require(await engine.statistics().first).ledger
            #expect((ledger.delivered, ledger.quarantined) == (names == ["c"] ? (1, 2) : (0, 0)))
            #expect(await engine.quarantine.events().allSatisfy { $0.reason == "other_destination" })
            try await LedgerCheck.check(engine)
            await engine.close(timeout: .zero)
        }

        #expect(transport.requests.count == 1)
    }

    @Test func `a row that a server blames is quarantined alone, and the others arrive`() async throws {
        let transport = ScriptedTransport { request, _ in
            let isBad = String(decoding: request.body, as: UTF8.self).contains(#""name":"bad""#)
            let body = isBad ? "Code: 27, e.displayText() = DB::Exception: … (at row 2)" : ""
            return .respond(HTTPResponse(status: isBad ? 500 : 200, body: Array(body.utf8)))
        }
        let engine = DeliveryEngine(clock: TestClock())
        let client = LaneService(product: "DL", on: engine)
        for name in ["a", "bad", "b", "c"] { client.track(AwesomeTrackingEvent(name: name)) }

        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [try ClickHouseDestination.stub()],
                transport: transport
            )
        )
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.delivered == 3)
        #expect(ledger.quarantined == 1)
        try await LedgerCheck.check(engine)
    }

    @Test func `log records that OTLP rejects are dropped and counted, and nothing is sent twice`() async throws {
        let response = HTTPResponse(status: 200, body: Array(#"{"partialSuccess":{"rejectedLogRecords":"2"}}"#.utf8))
        let transport = ScriptedTransport { _, _ in .respond(response) }
        let engine = DeliveryEngine(clock: TestClock())
        let client = LaneService(product: "DL", on: engine)
        for name in ["a", "b", "c"] { client.track(AwesomeTrackingEvent(name: name)) }

        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [try OTLPDestination.stub()], transport: transport)
        )
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.delivered == 1 && ledger.pending == 0 && ledger.quarantined == 0)
        #expect(ledger.dropped.map { "\($0.key.name) \($0.value)" } == ["dropped_by_receiver 2"])
        #expect(transport.requests.count == 1)
    }
}

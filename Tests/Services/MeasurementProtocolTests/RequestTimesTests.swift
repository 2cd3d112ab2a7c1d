import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Foundation
import Testing

/// Tests of the times in requests sent at ``Timestamp/now``.
@Suite(.timeLimit(.minutes(5))) struct RequestTimesTests {
    /// The oldest time in a request: 72 hours ago, less five minutes for the way to Google.
    private static let limit = Timestamp.now.microseconds - (72 * 3600 - 300) * 1_000_000

    @Test(
        arguments: [
            (Timestamp.now.microseconds, Timestamp.now.microseconds, nil),
            (limit + 1, limit + 1, nil), (limit, limit, nil), (limit - 1, limit, "timestamp_clamped"),
            (1_569_888_000_000_000, limit, "timestamp_clamped"), (0, limit, "timestamp_clamped"),
            (.min, limit, "timestamp_clamped"),
            (Timestamp.now.microseconds + 1, nil, "timestamp_in_future"), (.max, nil, "timestamp_in_future"),
        ] as [(Int64, Int64?, String?)]
    )
    func `an event's time lies within the last 72 hours of the request`(
        time: Int64,
        sent: Int64?,
        rule: String?
    ) throws {
        let destination = try FirebaseDestination.stub()
        let parameters: EventParameters = ["timestamp_micros": 7, "text": "\"timestamp_micros\":1}\\"]
        let time = Timestamp(microseconds: time)
        let event = OutgoingEvent.stub(name: "view_item", parameters: parameters, time: time)
        let batch = try batch(of: event, to: destination)

        let body = String(decoding: destination.request(for: batch).body, as: UTF8.self)

        let member = sent.map { #""name":"view_item","timestamp_micros":\#($0),"params":{"# }
        #expect(body.contains(#""events":[{"# + (member ?? #""name":"view_item","params":{"#)))
        #expect(body.contains(#""timestamp_micros":7,"text":"\"timestamp_micros\":1}\\","#))
        #expect(destination.adjustments(in: batch) == (rule.map { [$0: 1] } ?? [:]))
        #expect(try destination.encoded(event).adjustments.isEmpty)
        #expect(try JSONSerialization.jsonObject(with: Data(body.utf8)) is [String: Any])
    }

    @Test func `a trait has the time of its update, within the accepted time`() throws {
        let destination = try FirebaseDestination.stub()
        func body(_ seconds: Int64) throws -> String {
            let update = OutgoingEvent.stub(
                name: ProfileUpdate.traits.rawValue,
                parameters: ["plan": "gold", "timestamp_micros": 7],
                time: .now.advanced(bySeconds: seconds),
                update: .traits
            )
            let batch = try batch(of: update, to: destination)
            return String(decoding: destination.request(for: batch).body, as: UTF8.self)
        }

        #expect(try body(-60).matches(of: /"timestamp_micros":1772359140123456/).count == 3)
        #expect(try body(-1_000_000).matches(of: /"timestamp_micros":1772100300123456/).count == 3)
        #expect(try body(60).contains(#"{"plan":{"value":"gold"},"timestamp_micros":{"value":7}}"#))
    }

    @Test func `an event that waits for five days is sent with the oldest accepted time and counted once`() async throws
    {
        let clock = TestClock(wall: .now)
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 204)) }
        let engine = DeliveryEngine(clock: clock)
        let destination = try FirebaseDestination.stub()
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        let lane = engine.lane(destination.lane)

        engine.hold(destination.lane, reason: .expensiveNetwork)
        _ = await lane.trackUntilStored("view_item", parameters: [:])
        clock.jumpWall(bySeconds: 5 * 24 * 3600)
        engine.release(destination.lane, reason: .expensiveNetwork)
        let report = await engine.flush(timeout: .seconds(5))

        let body = String(decoding: try #require(transport.requests.last).body, as: UTF8.self)
        let time = try #require(body.firstMatch(of: /"timestamp_micros":(\d+)/).flatMap { Int64($0.1) })
        #expect(report.isDrained)
        #expect(time == Self.limit + 5 * 24 * 3600 * 1_000_000)
        #expect(await engine.statistics().first?.ledger.adjusted == ["timestamp_clamped": 1])
        try await LedgerCheck.check(engine)
    }

    /// Returns a batch of one event that is sent at the time of the tests.
    private func batch(of event: OutgoingEvent, to destination: FirebaseDestination) throws -> OutgoingBatch {
        let batch = try destination.batch(of: [event])
        return OutgoingBatch(id: batch.id, key: batch.key, time: .now, events: batch.events)
    }
}

import EventDelivery
import Testing

@testable import FirebaseTracking

/// Tests of event times with a clock that always returns ``Timestamp/now``.
@Suite struct FirebaseEventWriterTimeTests {
    private static let limit = Timestamp.now.microseconds - 72 * 3600 * 1_000_000

    @Test(
        arguments: [
            (Timestamp.now.microseconds, Timestamp.now.microseconds, nil),
            (limit + 1, limit + 1, nil), (limit, limit, nil), (limit - 1, limit, "timestamp_clamped"),
            (1_569_888_000_000_000, limit, "timestamp_clamped"), (0, limit, "timestamp_clamped"),
            (.min, limit, "timestamp_clamped"),
            (Timestamp.now.microseconds + 1, nil, "timestamp_in_future"), (.max, nil, "timestamp_in_future"),
        ] as [(Int64, Int64?, String?)]
    )
    func `an event's time lies within the last 72 hours`(time: Int64, sent: Int64?, rule: String?) throws {
        let event = OutgoingEvent.stub(time: Timestamp(microseconds: time))

        let (text, adjustments) = try MeasurementProtocolDestination.stub().encoded(event)

        let member = sent.map { #""name":"view_item","timestamp_micros":\#($0),"params":{"# }
        #expect(text.hasPrefix("{" + (member ?? #""name":"view_item","params":{"#)))
        #expect(adjustments == (rule.map { [$0: 1] } ?? [:]))
    }
}

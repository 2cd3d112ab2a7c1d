import CoreTracker
import EventDelivery
import FirebaseTracking
import LoopbackCollector
import Testing

/// Tests that check encoded events against an independent implementation of the rules.
@Suite struct FirebaseValidityTests {
    private static let texts = [
        "", "a", "1a", "a b", "größe", "_a", "ga_a", "firebase_conversion", "session_start", "\"},{", "\u{0}", "👩‍👩‍👧",
        String(repeating: "n", count: 40), String(repeating: "n", count: 41), String(repeating: "ü", count: 1_001),
    ]
    private static let values: [ParameterValue] = [
        .double(.nan), .double(.infinity), 0, -1, 1e308, true, [], [1], [:], ["k": 1], [["item_id": "1"]],
        [["price": "x"]],
        [["item_id": "1", "deep": [1]]],
        .array(Array(repeating: ["item_id": "1"], count: 201)),
        .array([.object(EventParameters((0..<30).map { (ParameterKey("k\($0)"), 1) }))]),
    ]
    private static let keys: [ParameterKey] = [
        "items", "item_id", "session_id", "engagement_time_msec", "debug_mode", "page_location", "text",
    ]

    @Test(arguments: texts)
    func `every text produces a body that the validation server accepts`(text: String) throws {
        let value = ParameterValue.string(text)
        let events = [
            OutgoingEvent.stub(name: text), .stub(name: "a", parameters: [ParameterKey(text): value]),
            .stub(
                name: "a",
                parameters: ["items": [["item_id": value, "item_brand": value, ParameterKey(text): value]]]
            ),
            .stub(name: "a", parameters: EventParameters(Self.keys.map { ($0, value) })),
            .stub(name: "a", defaults: EventParameters((0..<30).map { (ParameterKey("\(text)_\($0)"), value) })),
        ]

        for event in events {
            let messages = try messages(on: event)
            #expect(messages == [], "\(messages)")
        }
    }

    @Test(arguments: keys)
    func `every value produces a body that the validation server accepts`(key: ParameterKey) throws {
        for value in Self.values {
            let messages = try messages(on: .stub(name: "play_start", parameters: [key: value]))
            #expect(messages == [], "\(messages)")
        }
    }

    /// Returns the validation messages for an event's body.
    ///
    /// If the event is rejected, there are none.
    private func messages(on event: OutgoingEvent) throws -> [ValidationMessage] {
        let destination = try FirebaseDestination.stub()
        var encoder = EventEncoder()
        do throws(EventEncodingError) {
            try destination.encode(event, into: &encoder)
        } catch {
            return []
        }
        let batch = OutgoingBatch(
            id: event.id,
            key: destination.batchKey(of: event),
            events: [OutgoingBatch.Event(id: event.id, fragment: encoder.bytes[...])]
        )
        return MeasurementProtocolValidation.messages(on: destination.request(for: batch).body)
    }
}

import CoreTracker
import EventDelivery

extension Timestamp {
    /// The time of the tests: 1 March 2026, 10:00:00.123456 UTC.
    static let now = Timestamp(microseconds: 1_772_359_200_123_456)
}

extension EventID {
    /// The id of the tests' events, by their number.
    static func stub(_ number: UInt64 = 1) -> EventID {
        EventID(high: 0x0198_C7E2_5F0A_7C31, low: 0x9A55_1F2E_3D4C_5B00 + number)
    }
}

extension Identity {
    /// An identity whose session is a number, as the demo's and Google's own are.
    static func stub(
        deviceID: String = "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        userID: String? = nil,
        sessionID: String = "1772359000",
        sessionStart: Timestamp = Timestamp(microseconds: 1_772_359_000_999_999)
    ) -> Identity {
        Identity(deviceID: deviceID, userID: userID, sessionID: sessionID, sessionStart: sessionStart)
    }
}

extension OutgoingEvent {
    /// An event that breaks no rule.
    static func stub(
        id: EventID = .stub(),
        name: String = "view_item",
        parameters: EventParameters = [:],
        defaults: EventParameters = [:],
        time: Timestamp = .now,
        identity: Identity = .stub()
    ) -> OutgoingEvent {
        OutgoingEvent(
            id: id,
            name: name,
            parameters: parameters,
            defaults: defaults,
            time: time,
            identity: identity,
            sequence: 1
        )
    }
}

import CoreTracker
import EventDelivery

extension Timestamp {
    /// The time of the tests: 1 March 2026, 10:00:00.123456 UTC.
    static let now = Timestamp(microseconds: 1_772_359_200_123_456)
}

extension EventID {
    /// Returns the event ID with a number.
    static func stub(_ number: UInt64 = 1) -> EventID {
        EventID(high: 0x0198_C7E2_5F0A_7C31, low: 0x9A55_1F2E_3D4C_5B00 + number)
    }
}

extension Identity {
    /// Returns an identity with a number as its session ID, as in the demo and in Google's SDK.
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
    /// Returns an event that complies with every rule.
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

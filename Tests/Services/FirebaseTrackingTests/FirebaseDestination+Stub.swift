import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import Testing
import VendorRules

extension FirebaseConfiguration {
    /// Returns a valid configuration with a secret that tests search for.
    static func stub(
        endpoint: String = "https://collector.example/mp/collect",
        firebaseAppID: String = "1:1234567890:ios:0a1b2c3d4e5f6789",
        apiSecret: Secret = "s3cret",
        appInstanceID: String? = nil,
        rules: EventRules = EventRules.appStream
    ) throws -> FirebaseConfiguration {
        try FirebaseConfiguration(
            endpoint: Endpoint(endpoint),
            firebaseAppID: firebaseAppID,
            apiSecret: apiSecret,
            appInstanceID: appInstanceID,
            rules: rules
        )
    }
}

extension FirebaseDestination {
    /// Returns the destination of a product.
    static func stub(_ configuration: FirebaseConfiguration? = nil) throws -> FirebaseDestination {
        FirebaseDestination(product: "DL", configuration: try configuration ?? .stub())
    }

    /// Returns the encoded event, and the number of adjustments by rule.
    func encoded(_ event: OutgoingEvent) throws -> (text: String, adjustments: [String: Int]) {
        var encoder = EventEncoder()
        try encode(event, into: &encoder)
        return (String(decoding: encoder.bytes, as: UTF8.self), encoder.adjustments)
    }

    /// Returns the encoded parameters of an event as text, and the number of adjustments by rule.
    func parameters(of event: OutgoingEvent) throws -> (values: [String: String], adjustments: [String: Int]) {
        let encoded = try encoded(event)
        let object = try JSONSerialization.jsonObject(with: Data(encoded.text.utf8))
        let parameters = try #require((object as? [String: Any])?["params"] as? [String: Any])
        return (parameters.mapValues { "\($0)" }, encoded.adjustments)
    }

    /// Returns the rule that rejects an event, or `nil` if it is accepted.
    func violatedRule(by event: OutgoingEvent) -> String? {
        var encoder = EventEncoder()
        do throws(EventEncodingError) {
            try encode(event, into: &encoder)
            return nil
        } catch {
            return error.rule
        }
    }

    /// Returns the request for events that must have the same batch key, at the time of the tests.
    func request(
        carrying events: [OutgoingEvent],
        consents: [ConsentPurpose: Consent] = [:]
    ) throws -> HTTPRequest {
        request(for: try batch(of: events, consents: consents))
    }

    /// Returns the batch of events that must have the same batch key, at the time of the tests.
    func batch(of events: [OutgoingEvent], consents: [ConsentPurpose: Consent] = [:]) throws -> OutgoingBatch {
        let keys = Set(events.map(batchKey))
        try #require(keys.count == 1)
        let fragments = try events.map { event in
            OutgoingBatch.Event(id: event.id, fragment: Array(try encoded(event).text.utf8)[...])
        }
        return OutgoingBatch(
            id: .stub(99),
            key: keys.first ?? "",
            time: .now,
            events: fragments,
            consents: consents
        )
    }
}

extension Timestamp {
    /// The time of the tests: 1 March 2026, 10:00:00.123456 UTC.
    static let now = Timestamp(microseconds: 1_772_359_200_123_456)
}

extension EventID {
    /// Returns the event id with a number.
    static func stub(_ number: UInt64 = 1) -> EventID {
        EventID(high: 0x0198_C7E2_5F0A_7C31, low: 0x9A55_1F2E_3D4C_5B00 + number)
    }
}

extension Identity {
    /// Returns an identity with a number as its session id, as in the demo and in Google's SDK.
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
        identity: Identity = .stub(),
        update: ProfileUpdate? = nil
    ) -> OutgoingEvent {
        OutgoingEvent(
            id: id,
            name: name,
            parameters: parameters,
            defaults: defaults,
            time: time,
            identity: identity,
            sequence: 1,
            update: update
        )
    }
}

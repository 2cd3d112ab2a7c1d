import AwesomeTracking
import CoreTracker
import EventDelivery
import Testing

extension EventID {
    /// Returns the event id with a number.
    static func stub(_ number: UInt64 = 1) -> EventID {
        EventID(high: 0x0198_C7E2_5F0A_7C31, low: 0x9A55_1F2E_3D4C_5B00 + number)
    }
}

extension Identity {
    /// Returns an identity of an installation, optionally with a user.
    static func stub(userID: String? = nil, sessionID: String = "s-1") -> Identity {
        Identity(
            deviceID: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            userID: userID,
            sessionID: sessionID,
            sessionStart: Timestamp(microseconds: 1_772_359_000_000_000)
        )
    }
}

extension OutgoingEvent {
    /// Returns an event of 1 March 2026, 10:00:00.123456 UTC.
    static func stub(
        id: EventID = .stub(),
        name: String = "play_start",
        parameters: EventParameters = [:],
        defaults: EventParameters = [:],
        time: Timestamp = Timestamp(microseconds: 1_772_359_200_123_456),
        identity: Identity = .stub(),
        sequence: UInt64 = 41,
        update: ProfileUpdate? = nil
    ) -> OutgoingEvent {
        OutgoingEvent(
            id: id,
            name: name,
            parameters: parameters,
            defaults: defaults,
            time: time,
            identity: identity,
            sequence: sequence,
            update: update
        )
    }
}

extension ClickHouseConfiguration {
    /// Returns a valid configuration with a password that tests search for.
    static func stub(
        endpoint: String = "https://collector.example:8443",
        database: String = "awesome",
        table: String = "events",
        user: String? = nil,
        password: Secret? = nil,
        token: Secret? = nil,
        appVersion: String = "4.2.0",
        schema: Int = 1,
        server: Server = .portable,
        idempotencyHeader: String? = nil,
        requests: RequestOptions = .standard
    ) throws -> ClickHouseConfiguration {
        try ClickHouseConfiguration(
            endpoint: Endpoint(endpoint),
            database: database,
            table: table,
            user: user,
            password: password,
            token: token,
            appVersion: appVersion,
            schema: schema,
            server: server,
            idempotencyHeader: idempotencyHeader,
            requests: requests
        )
    }
}

extension ClickHouseDestination {
    /// Returns a destination of the product `DL`.
    static func stub(_ configuration: ClickHouseConfiguration? = nil) throws -> ClickHouseDestination {
        ClickHouseDestination(product: "DL", configuration: try configuration ?? .stub())
    }

    /// Returns the encoded row of an event, and the writer's counts.
    func encoded(_ event: OutgoingEvent) throws -> (row: String, coercions: Int) {
        var encoder = EventEncoder()
        try encode(event, into: &encoder)
        return (String(decoding: encoder.bytes, as: UTF8.self), encoder.json.coercions)
    }

    /// Returns the request for events.
    func request(carrying events: [OutgoingEvent]) throws -> HTTPRequest {
        let fragments = try events.map { event in
            OutgoingBatch.Event(id: event.id, fragment: Array(try encoded(event).row.utf8)[...])
        }
        return request(for: OutgoingBatch(id: .stub(99), events: fragments))
    }
}

extension OTLPConfiguration {
    /// Returns a valid configuration.
    static func stub(
        endpoint: String = "https://otel.example",
        authorization: Secret? = nil,
        serviceName: String? = nil,
        appVersion: String = "4.2.0",
        requests: RequestOptions = .standard
    ) throws -> OTLPConfiguration {
        try OTLPConfiguration(
            endpoint: Endpoint(endpoint),
            authorization: authorization,
            serviceName: serviceName,
            appVersion: appVersion,
            requests: requests
        )
    }
}

extension OTLPDestination {
    /// Returns a destination of the product `DL`.
    static func stub(_ configuration: OTLPConfiguration? = nil) throws -> OTLPDestination {
        OTLPDestination(product: "DL", configuration: try configuration ?? .stub())
    }

    /// Returns the encoded record of an event, the writer's count, and the number of adjustments by rule.
    func encoded(_ event: OutgoingEvent) throws -> (record: String, coercions: Int, adjustments: [String: Int]) {
        var encoder = EventEncoder()
        try encode(event, into: &encoder)
        return (String(decoding: encoder.bytes, as: UTF8.self), encoder.json.coercions, encoder.adjustments)
    }

    /// Returns the request for events.
    func request(carrying events: [OutgoingEvent]) throws -> HTTPRequest {
        let fragments = try events.map { event in
            OutgoingBatch.Event(id: event.id, fragment: Array(try encoded(event).record.utf8)[...])
        }
        let key = events.first.map(batchKey) ?? ""
        return request(for: OutgoingBatch(id: .stub(99), key: key, events: fragments))
    }
}

extension Destination {
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
}

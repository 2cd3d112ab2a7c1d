import CoreTracker
import EventDelivery
import VendorRules

/// A writer of events as elements of the wire format's `events`.
///
/// An event contains `event_id`, the event's parameters after the rules, and the automatic parameters that it does not
/// set itself.
struct FirebaseEventWriter: Sendable {
    let rules: EventRules

    /// Writes an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - encoder: Receives the JSON and the counts of adjusted values.
    /// - Throws: An error if the rules reject the event's name.
    func write(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try rules.check(name: event.name)
        encoder.json.beginObject()
        encoder.json.key(fixed: "name")
        encoder.json.string(event.name)
        encoder.json.key(fixed: "timestamp_micros")
        encoder.json.int(event.time.microseconds)
        encoder.json.key(fixed: "params")
        encoder.json.beginObject()
        encoder.json.key(fixed: "event_id")
        encoder.json.id(event.id)
        let session = SessionParameters(event.identity, maximumLength: rules.maximumStringLength)
        let missing = rules.write(event, reservedSlots: 2 + max(1, session.count), into: &encoder)
        session.write(withNumber: missing.contains(.sessionID), into: &encoder)
        if missing.contains(.engagementTime) {
            encoder.json.key(fixed: "engagement_time_msec")
            encoder.json.int(1)
        }
        encoder.json.endObject()
        encoder.json.endObject()
    }
}

extension ParameterKey {
    /// The number of the session, which Google expects in every event.
    static let sessionID: ParameterKey = "session_id"
    /// The engagement time in milliseconds.
    ///
    /// Google's reports omit users without it.
    static let engagementTime: ParameterKey = "engagement_time_msec"
}

extension EventEncoder {
    /// Counts an adjusted event.
    mutating func recordAdjustment(_ rule: FirebaseRule) {
        recordAdjustment(rule.rawValue)
    }
}

/// A rule of this wire format beyond `EventRules`.
///
/// The ledger counts it under the raw value.
enum FirebaseRule: String, CaseIterable {
    /// The event has no device.
    ///
    /// The event is rejected, because Google cannot attribute it.
    case appInstanceIDInvalid = "app_instance_id_invalid"
    /// The user id is too long.
    ///
    /// The event is sent without it.
    case userIDTooLong = "user_id_too_long"
    /// The session id is too long.
    ///
    /// The event is sent without it.
    case identifierTooLong = "identifier_too_long"
}

/// The parameters that identify an event's session to Google.
///
/// `session_id` is a positive number. If the session id is not one, it is the session's number, and `app_session`
/// contains the id. An event without a session has neither.
struct SessionParameters {
    private let identity: Identity
    private let isNumber: Bool
    private let maximumLength: Int

    init(_ identity: Identity, maximumLength: Int) {
        self.identity = identity
        self.maximumLength = maximumLength
        isNumber = identity.sessionID.isPositiveWholeNumber
    }

    /// The number of parameters.
    var count: Int { identity.sessionID.isEmpty ? 0 : isNumber ? 1 : 2 }

    /// Writes the parameters.
    ///
    /// - Parameters:
    ///   - withNumber: Whether to write `session_id`. It is false if the event sets that parameter itself.
    ///   - encoder: Receives the JSON.
    func write(withNumber: Bool, into encoder: inout EventEncoder) {
        if withNumber, count > 0 {
            encoder.json.key(fixed: "session_id")
            if isNumber {
                encoder.json.raw(identity.sessionID.utf8)
            } else {
                encoder.json.int(identity.sessionNumber)
            }
        }
        guard count == 2 else { return }
        guard identity.sessionID.utf8.count <= maximumLength || identity.sessionID.utf16.count <= maximumLength else {
            return encoder.recordAdjustment(.identifierTooLong)
        }
        encoder.json.key(fixed: "app_session")
        encoder.json.string(identity.sessionID)
    }
}

import CoreTracker
import EventDelivery

/// Writes events as members of the wire's `events`: `event_id`, what the rules leave of the event's parameters, and the
/// automatic ones that it does not set itself.
struct FirebaseEventWriter: Sendable {
    /// How old an event may be: 72 hours.
    private static let backdatingSeconds: Int64 = 72 * 60 * 60

    let rules: EventRules

    /// Writes an event, or refuses it.
    func write(_ event: OutgoingEvent, now: Timestamp, into encoder: inout EventEncoder) throws(EventRefusal) {
        try rules.check(name: event.name)
        encoder.json.beginObject()
        encoder.json.key(fixed: "name")
        encoder.json.verbatim(event.name)
        writeTime(of: event, now: now, into: &encoder)
        encoder.json.key(fixed: "params")
        encoder.json.beginObject()
        encoder.json.key(fixed: "event_id")
        encoder.json.id(event.id)
        let session = SessionParameters(event.identity, maximumLength: rules.maximumTextLength)
        let missing = rules.write(event, reservedPlaces: 2 + session.count, into: &encoder)
        session.write(withNumber: missing.contains(.sessionID), into: &encoder)
        if missing.contains(.engagementTime) {
            encoder.json.key(fixed: "engagement_time_msec")
            encoder.json.int(1)
        }
        encoder.json.endObject()
        encoder.json.endObject()
    }

    private func writeTime(of event: OutgoingEvent, now: Timestamp, into encoder: inout EventEncoder) {
        guard event.time <= now else { return encoder.repaired(.timestampInFuture) }
        let oldest = now.advanced(bySeconds: -FirebaseEventWriter.backdatingSeconds)
        if event.time < oldest { encoder.repaired(.timestampClamped) }
        encoder.json.key(fixed: "timestamp_micros")
        encoder.json.int(max(event.time, oldest).microseconds)
    }
}

extension ParameterKey {
    /// The number of the session, which Google wants with every event.
    static let sessionID: ParameterKey = "session_id"
    /// How long the user was engaged, in milliseconds, without which Google's reports leave the user out.
    static let engagementTime: ParameterKey = "engagement_time_msec"
}

extension EventEncoder {
    /// Counts a repair.
    mutating func repaired(_ rule: FirebaseRule) {
        repaired(rule.rawValue)
    }
}

/// A rule of this wire beyond `EventRules`, by the name that the ledger counts.
enum FirebaseRule: String, CaseIterable {
    /// There is no app instance id of 32 hexadecimal digits: the event is refused, for Google could not attribute it.
    case appInstanceIDInvalid = "app_instance_id_invalid"
    /// The user's id is too long: the event is sent without it.
    case userIDTooLong = "user_id_too_long"
    /// The event is older than 72 hours: its time is moved there, as the server would do.
    case timestampClamped = "timestamp_clamped"
    /// The event lies in the future: it is sent without a time, and gets that of its arrival.
    case timestampInFuture = "timestamp_in_future"
    /// The session's id is too long: the event is sent without it.
    case identifierTooLong = "identifier_too_long"
}

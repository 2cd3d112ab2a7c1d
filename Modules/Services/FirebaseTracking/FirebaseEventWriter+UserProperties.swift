import CoreTracker
import EventDelivery

/// The traits of a user as GA4's `user_properties`.
///
/// Each property has the time of its update, and Google keeps the most recent value. The order in which requests arrive
/// therefore does not matter. The protocol requires at least one event in a request, so an event `traits_updated` is
/// sent with the properties.
///
/// Sources: https://developers.google.com/analytics/devguides/collection/protocol/ga4/user-properties and
/// https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference
extension FirebaseEventWriter {
    /// The name of the event that is sent with user properties.
    private static let eventName = "traits_updated"

    /// Writes traits as the members `user_properties` and `events` of a request.
    ///
    /// - Parameters:
    ///   - update: The traits.
    ///   - now: The current time, which determines the update's age.
    ///   - encoder: Receives the JSON and the counts of adjusted traits.
    /// - Throws: The rule `traits_empty` if no trait is left.
    func writeTraits(
        _ update: OutgoingEvent,
        now: Timestamp,
        into encoder: inout EventEncoder
    ) throws(EventEncodingError) {
        let traits = EventRules.userProperties.adjust(update.parameters) { encoder.recordAdjustment($0) }
        guard !traits.isEmpty else { throw EventEncodingError(rule: FirebaseRule.traitsEmpty.rawValue) }
        let time = FirebaseEventWriter.time(of: update, now: now)
        encoder.json.key(fixed: "user_properties")
        encoder.json.beginObject()
        for trait in traits {
            encoder.json.key(trait.key.name)
            encoder.json.beginObject()
            encoder.json.member("value", trait.value)
            if let time {
                encoder.json.key(fixed: "timestamp_micros")
                encoder.json.int(time.microseconds)
            }
            encoder.json.endObject()
        }
        encoder.json.endObject()
        encoder.json.key(fixed: "events")
        encoder.json.beginArray()
        var event = update
        (event.name, event.parameters, event.defaults) = (FirebaseEventWriter.eventName, [:], [:])
        try write(event, now: now, into: &encoder)
        encoder.json.endArray()
    }
}

extension EventRules {
    /// The limits and reserved names of user properties: 25 properties, names of 24 and values of 36 characters.
    ///
    /// Sources: https://support.google.com/analytics/answer/9267744 for the limits, and
    /// https://developers.google.com/analytics/devguides/collection/protocol/ga4/user-properties for the names. The
    /// reserved prefix `_` is that of event parameters.
    static let userProperties = EventRules(
        name: appStream.name,
        key: NameRule(
            maximumLength: 24,
            alphabet: .asciiLettersDigitsUnderscores,
            reserved: [
                "first_open_after_install", "first_open_time", "first_visit_time", "last_deep_link_referrer", "user_id",
            ],
            reservedPrefixes: ["_", "firebase_", "ga_", "google_"]
        ),
        maximumParameters: 25,
        maximumStringLength: 36,
        nesting: .lists([:]),
        sendsBooleansAsNumbers: true
    )
}

/// The start of the batch keys of traits: a mark and the update's ID.
///
/// Other keys start with an app instance ID, which has only hexadecimal digits.
enum UserPropertiesKey {
    /// The mark.
    static let prefix = "traits:"
    /// The length of the mark and the ID in bytes.
    private static let length = prefix.utf8.count + 36

    /// Returns the rest of a batch key, which identifies the user, and whether the batch contains traits.
    ///
    /// - Parameter key: The batch key.
    static func identity(in key: String) -> (text: Substring, isTraits: Bool) {
        guard key.hasPrefix(prefix),
            let end = key.utf8.index(key.startIndex, offsetBy: length, limitedBy: key.endIndex)
        else { return (key[...], false) }
        return (key[end...], true)
    }
}

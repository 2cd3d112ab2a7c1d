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
enum UserProperties {
    /// The mark at the start of the batch keys of traits, followed by the update's ID.
    ///
    /// Other keys start with a quotation mark.
    static let keyPrefix = "traits:"
    /// The length of the mark and the ID in bytes.
    private static let prefixLength = keyPrefix.utf8.count + 36

    /// The limits and reserved names: 25 properties, names of 24 and values of 36 characters.
    ///
    /// Sources: https://support.google.com/analytics/answer/9267744 for the limits, and
    /// https://developers.google.com/analytics/devguides/collection/protocol/ga4/user-properties for the names. The
    /// reserved prefix `_` is that of event parameters.
    static let rules = EventRules(
        name: EventRules.webStream.name,
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

    /// Writes traits as the member `user_properties`.
    ///
    /// - Parameters:
    ///   - update: The traits.
    ///   - encoder: Receives the JSON and the counts of adjusted traits.
    /// - Throws: The rule `traits_empty` if no trait is left.
    static func write(_ update: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        let traits = rules.adjust(update.parameters) { encoder.recordAdjustment($0) }
        guard !traits.isEmpty else { throw EventEncodingError(rule: "traits_empty") }
        encoder.json.key("user_properties")
        encoder.json.beginObject()
        for trait in traits {
            encoder.json.key(trait.key.name)
            encoder.json.beginObject()
            encoder.json.member("value", trait.value)
            encoder.json.key("timestamp_micros")
            encoder.json.int(update.time.microseconds)
            encoder.json.endObject()
        }
        encoder.json.endObject()
    }

    /// Returns the event that is sent with the traits.
    ///
    /// - Parameter update: The traits.
    static func event(of update: OutgoingEvent) -> OutgoingEvent {
        var event = update
        (event.name, event.parameters, event.defaults) = ("traits_updated", [:], [:])
        return event
    }

    /// Returns the members in a batch key, and whether the batch contains traits.
    ///
    /// - Parameter key: The batch key.
    static func members(in key: String) -> (text: Substring, isTraits: Bool) {
        guard key.hasPrefix(keyPrefix),
            let end = key.utf8.index(key.startIndex, offsetBy: prefixLength, limitedBy: key.endIndex)
        else { return (key[...], false) }
        return (key[end...], true)
    }
}

import CoreTracker
package import EventDelivery
import EventTracking
import VendorRules

/// The traits of a user as GA4's `user_properties`, for app streams and web streams.
///
/// Each property has the time of its update, and Google keeps the most recent value. The order in which requests arrive
/// therefore does not matter, unless the updates are older than 72 hours and have the oldest accepted time, or the
/// device's clock was set back between them: the earlier update then has the time of its arrival, and wins. A value of
/// `null` removes a property, as in Google's tag for the web; the reference of the protocol does not mention removals.
/// The protocol requires at least one event in a request, so an event `traits_updated` is sent with the properties.
/// A property is set to a value, and the protocol has no operation on the present one, so operations are left out.
///
/// Sources: https://developers.google.com/analytics/devguides/collection/protocol/ga4/user-properties and
/// https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference
package enum UserProperties {
    /// The rule broken by an update without a valid trait.
    package static let emptyRule = "traits_empty"

    /// The limits and reserved names: 25 properties, names of 24 and values of 36 characters.
    ///
    /// Sources: https://support.google.com/analytics/answer/9267744 for the limits, and
    /// https://developers.google.com/analytics/devguides/collection/protocol/ga4/user-properties for the names. The
    /// reserved prefix `_` is the same as for event parameters.
    private static let key = NameRule(
        maximumLength: 24,
        alphabet: .asciiLettersDigitsUnderscores,
        reserved: [
            "first_open_after_install", "first_open_time", "first_visit_time", "last_deep_link_referrer", "user_id",
        ],
        reservedPrefixes: ["_", "firebase_", "ga_", "google_"]
    )

    /// The rules for traits.
    ///
    /// The name of the event is checked separately.
    private static let rules = EventRules(
        name: key,
        key: key,
        maximumParameters: 25,
        maximumStringLength: 36,
        nesting: .lists([:]),
        sendsBooleansAsNumbers: true
    )

    /// Writes traits as the members `user_properties` and `events` of a request.
    ///
    /// - Parameters:
    ///   - update: The traits.
    ///   - encoder: Receives the JSON and the counts of adjusted traits.
    ///   - writeEvent: Writes the event sent with the traits.
    /// - Throws: ``emptyRule``, or `operation_not_supported` if there was an operation, if no trait is left, or the
    ///   error of `writeEvent`.
    package static func write(
        _ update: OutgoingEvent,
        into encoder: inout EventEncoder,
        writeEvent: (OutgoingEvent, inout EventEncoder) throws(EventEncodingError) -> Void
    ) throws(EventEncodingError) {
        let values = update.parameters.filter { $0.value.traitOperation == nil }.map { ($0.key, $0.value) }
        for _ in values.count..<update.parameters.count { encoder.recordAdjustment(TraitOperation.unsupportedRule) }
        let traits = rules.adjust(EventParameters(values)) { encoder.recordAdjustment($0) }
        let removed = rules.names(update.removedTraits, besides: traits.count) { encoder.recordAdjustment($0) }
        guard !traits.isEmpty || !removed.isEmpty else {
            let isUnsupported = values.count < update.parameters.count
            throw EventEncodingError(rule: isUnsupported ? TraitOperation.unsupportedRule : emptyRule)
        }
        encoder.json.key(fixed: "user_properties")
        encoder.json.beginObject()
        let properties: [(ParameterKey, ParameterValue?)] =
            traits.map { ($0.key, $0.value) } + removed.map { ($0, nil) }
        for (key, value) in properties {
            encoder.json.key(key.name)
            encoder.json.beginObject()
            encoder.json.key(fixed: "value")
            if let value { encoder.json.value(value) } else { encoder.json.null() }
            encoder.json.key(fixed: "timestamp_micros")
            encoder.json.int(update.time.microseconds)
            encoder.json.endObject()
        }
        encoder.json.endObject()
        encoder.json.key(fixed: "events")
        encoder.json.beginArray()
        var event = update
        (event.name, event.parameters, event.defaults) = ("traits_updated", [:], [:])
        try writeEvent(event, &encoder)
        encoder.json.endArray()
    }
}

/// The batch keys of traits, which put each update into a request of its own: a mark, the id of the update and the key
/// of ordinary events.
extension UserProperties {
    /// The mark.
    ///
    /// The keys of ordinary events do not begin with it.
    private static let mark = "traits:"
    /// The length of the mark and the id in bytes.
    private static let prefixLength = mark.utf8.count + 36

    /// Returns the batch key of an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - key: The event's batch key as an ordinary event.
    package static func batchKey(of event: OutgoingEvent, _ key: String) -> String {
        event.update == nil ? key : mark + event.id.description + key
    }

    /// Returns the batch key without the mark and the id, and whether the batch contains traits.
    ///
    /// - Parameter key: The batch key.
    package static func read(_ key: String) -> (key: Substring, isTraits: Bool) {
        guard key.hasPrefix(mark),
            let end = key.utf8.index(key.startIndex, offsetBy: prefixLength, limitedBy: key.endIndex)
        else { return (key[...], false) }
        return (key[end...], true)
    }
}

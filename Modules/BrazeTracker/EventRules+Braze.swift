public import EventDelivery

extension EventRules {
    /// Braze's rules for custom events (objects "event object" and "custom events" of its reference).
    ///
    /// The length of an event's name is not documented; the properties' 255 is taken for it.
    public static let braze = EventRules(
        name: NameRule(maximumLength: 255, alphabet: .anyExceptControlCharacters, reservedPrefixes: ["$"]),
        key: NameRule(
            maximumLength: 255,
            alphabet: .anyExceptControlCharacters,
            reserved: ["time", "event_name"],
            reservedPrefixes: ["$"]
        ),
        maximumParameters: 256,
        maximumTextLength: 255
    )
}

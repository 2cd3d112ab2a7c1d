public import EventDelivery

extension EventRules {
    /// The rules for Braze's custom events (objects "event object" and "custom events" of its reference).
    ///
    /// The maximum length of an event's name is not documented. The limit of 255 for properties is used.
    public static let braze = EventRules(
        name: NameRule(maximumLength: 255, alphabet: .anyExceptControlCharacters, reservedPrefixes: ["$"]),
        key: NameRule(
            maximumLength: 255,
            alphabet: .anyExceptControlCharacters,
            reserved: ["time", "event_name"],
            reservedPrefixes: ["$"]
        ),
        maximumParameters: 256,
        maximumStringLength: 255
    )
}

public import EventDelivery

extension EventRules {
    /// The rules for Braze's custom events (objects "event object" and "custom events" of its reference).
    ///
    /// Braze truncates names and keys over 255 characters or 479 bytes. A truncated name is another name, so such an
    /// event is refused and such a key left out.
    ///
    /// Source: https://github.com/braze-inc/braze-docs/issues/11804 of 2026-01-30.
    public static let braze = EventRules(
        name: NameRule(
            maximumLength: 255,
            maximumBytes: maximumNameBytes,
            alphabet: .anyExceptControlCharacters,
            reservedPrefixes: ["$"]
        ),
        key: NameRule(
            maximumLength: 255,
            maximumBytes: maximumNameBytes,
            alphabet: .anyExceptControlCharacters,
            reserved: ["time", "event_name"],
            reservedPrefixes: ["$"]
        ),
        maximumParameters: 256,
        maximumStringLength: 255
    )

    /// The maximum size of a name or a key in bytes of UTF-8.
    static let maximumNameBytes = 479
}

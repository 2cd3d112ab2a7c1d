public import VendorRules

extension EventRules {
    /// The rules for Braze's custom events (objects "event object" and "custom events" of its reference).
    ///
    /// Braze truncates names and keys over 255 characters or 479 bytes. A truncated name is another name, so such an
    /// event is refused and such a key left out.
    ///
    /// If the id of a user has more than 987 bytes, Braze does not accept it. Without it, an event would belong to
    /// another profile, so the event is dropped. The SDK's own reference allows 997.
    ///
    /// Sources: https://github.com/braze-inc/braze-docs/issues/11804 of 2026-01-30 for names, and
    /// https://www.braze.com/docs/api/endpoints/user_data/post_user_track for ids ("Endpoint-specific errors").
    public static let braze = {
        var rules = events
        rules.userID = UserIDRule(maximumBytes: 987)
        return rules
    }()

    private static let events = EventRules(
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

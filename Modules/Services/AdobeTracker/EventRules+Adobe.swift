public import EventDelivery

extension EventRules {
    /// The rules for Adobe's XDM events.
    ///
    /// Adobe documents no lengths and counts, only the request's limit of 64 KB.
    public static let adobe = EventRules(
        name: NameRule(maximumLength: .max, alphabet: .anyExceptControlCharacters),
        key: NameRule(maximumLength: .max, alphabet: .anyExceptControlCharacters),
        maximumParameters: .max,
        maximumStringLength: .max
    )
}

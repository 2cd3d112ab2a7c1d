public import EventDelivery

extension EventRules {
    /// Adobe's rules for XDM events: it documents no lengths and counts, only the request's 64 KB.
    public static let adobe = EventRules(
        name: NameRule(maximumLength: .max, alphabet: .anyExceptControlCharacters),
        key: NameRule(maximumLength: .max, alphabet: .anyExceptControlCharacters),
        maximumParameters: .max,
        maximumTextLength: .max
    )
}

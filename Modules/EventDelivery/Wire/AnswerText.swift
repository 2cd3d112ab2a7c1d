/// Text that a receiver answered, made fit to be kept as a reason.
public enum AnswerText {
    /// The most characters that are kept.
    public static let maximumLength = 200

    /// The text without control characters, cut to the maximum.
    public static func reason(_ text: String) -> String {
        let scalars = text.unicodeScalars.lazy.map { $0.properties.generalCategory == .control ? " " : $0 }
        var reason = String.UnicodeScalarView()
        reason.append(contentsOf: scalars.prefix(maximumLength))
        return String(reason)
    }
}

/// Text that a receiver answered, made fit to be kept.
public enum AnswerText {
    /// The most characters of a reason that are kept.
    public static let maximumLength = 200
    /// The most bytes of an answer that quarantine keeps.
    package static let maximumSnippetBytes = 512

    /// The text without control characters, cut to the maximum.
    public static func reason(_ text: String) -> String {
        let scalars = text.unicodeScalars.lazy.map { $0.properties.generalCategory == .control ? " " : $0 }
        var reason = String.UnicodeScalarView()
        reason.append(contentsOf: scalars.prefix(maximumLength))
        return String(reason)
    }

    /// The start of a body, at most 512 bytes, with what does not show or moves other text escaped.
    package static func snippet(_ body: [UInt8]) -> String {
        var snippet = ""
        var bytes = 0
        for scalar in String(decoding: body.prefix(maximumSnippetBytes), as: UTF8.self).unicodeScalars {
            let text = shows(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
            bytes += text.utf8.count
            if bytes > maximumSnippetBytes { break }
            snippet += text
        }
        return snippet
    }

    private static func shows(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
        default: true
        }
    }
}

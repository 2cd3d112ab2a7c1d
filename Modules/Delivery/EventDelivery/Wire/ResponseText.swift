/// Text from a receiver's response, sanitized for storage and display.
public enum ResponseText {
    /// The maximum length of a stored reason in characters.
    public static let maximumLength = 200
    /// The maximum size of a response stored in quarantine, in bytes.
    package static let maximumSnippetBytes = 512

    /// Returns a text without invisible characters and characters that move other text, such as line breaks and
    /// direction marks.
    ///
    /// - Parameter text: Text from a response.
    /// - Returns: The text with spaces instead of these characters, cut to ``maximumLength``.
    public static func reason(_ text: String) -> String {
        var reason = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(maximumLength) { reason.append(shows(scalar) ? scalar : " ") }
        return String(reason)
    }

    /// Returns the start of a body, at most 512 bytes, with invisible characters and characters that move other text
    /// escaped.
    ///
    /// - Parameter body: The body of a response.
    /// - Returns: The text.
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

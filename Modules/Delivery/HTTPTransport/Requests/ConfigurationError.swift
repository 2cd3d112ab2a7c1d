/// An error in a configuration.
///
/// It names the invalid part and never includes a secret.
public enum ConfigurationError: Error, Equatable, Sendable {
    /// The text is not an absolute URL with a host.
    ///
    /// The associated value is the start of the text, without a user, path, query and fragment, which can be secret.
    case invalidURL(String)
    /// The URL uses `http` with a host other than a loopback address.
    ///
    /// Only `https` is allowed there, except by ``Endpoint/init(unencrypted:)``.
    case insecureURL(host: String)
    /// The URL contains a user or a password.
    ///
    /// Credentials belong in headers.
    case credentialsInURL(host: String)
    /// The URL contains a fragment, which is never sent.
    case fragmentInURL(host: String)
    /// The name of a header is not a token (RFC 9110).
    case invalidHeaderName
    /// The value of a header contains control characters.
    case invalidHeaderValue(name: String)
    /// A key, identifier or other value of the vendor's configuration has the wrong format.
    case invalidValue(field: String, expected: String)
}

extension ConfigurationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidURL(let text): "not an absolute http(s) URL with a host, such as https://h.example: \"\(text)\""
        case .insecureURL(let host): "http is not encrypted; use https for \(host), or Endpoint(unencrypted:)"
        case .credentialsInURL(let host): "the URL of \(host) carries credentials; pass them as a header"
        case .fragmentInURL(let host): "the URL of \(host) carries a fragment, which is never sent"
        case .invalidHeaderName: "a header's name has characters that HTTP does not allow"
        case .invalidHeaderValue(let name): "the value of header \(name) has control characters"
        case .invalidValue(let field, let expected): "\(field) must be \(expected)"
        }
    }
}

extension ConfigurationError {
    /// The placeholder for a possibly secret part.
    private static let redacted = "‹redacted›"
    /// The maximum lengths of a quoted host, and of a quoted text that may be a key instead of a host.
    private static let (maximumHost, maximumWord) = (40, 12)

    /// Returns the error for an invalid URL, which quotes the text as far as it can contain no secret.
    ///
    /// - Parameter text: The text.
    package static func invalidURL(quoting text: String) -> ConfigurationError {
        // By scalars, because a combining mark would hide the separator before it.
        var (quote, rest) = ("", text.unicodeScalars[...])
        if let separator = rest.firstRange(of: "://".unicodeScalars),
            rest[..<separator.lowerBound].allSatisfy(\.properties.isAlphabetic)
        {
            (quote, rest) = (String(rest[..<separator.upperBound]), rest[separator.upperBound...])
        }
        if let at = rest.lastIndex(of: "@") {
            quote += "\(redacted)@"
            rest = rest[rest.index(after: at)...]
        }
        let host = rest.prefix { !"/?#\\;&= \n".unicodeScalars.contains($0) }
        let isHost = host.count <= maximumHost && (!quote.isEmpty || host.contains(".") || host.contains(":"))
        quote += isHost || host.count <= maximumWord ? String(host) : redacted
        if host.endIndex < rest.endIndex { quote += "…" }
        return .invalidURL(
            quote.unicodeScalars.map { $0 == "‹" || $0 == "›" || $0 == "…" ? "\($0)" : $0.escaped(asASCII: true) }
                .joined()
        )
    }
}

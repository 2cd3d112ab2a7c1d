/// An error in a configuration.
///
/// It names the invalid part and never includes a secret.
public enum ConfigurationError: Error, Hashable, Sendable {
    /// The text is not an absolute URL with a host.
    case invalidURL
    /// The URL uses `http` with a host that is not a loopback address.
    ///
    /// Only `https` is allowed there.
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
        case .invalidURL: "not an absolute http(s) URL with a host"
        case .insecureURL(let host): "http is allowed to a loopback address only; use https for \(host)"
        case .credentialsInURL(let host): "the URL of \(host) carries credentials; pass them as a header"
        case .fragmentInURL(let host): "the URL of \(host) carries a fragment, which is never sent"
        case .invalidHeaderName: "a header's name has characters that HTTP does not allow"
        case .invalidHeaderValue(let name): "the value of header \(name) has control characters"
        case .invalidValue(let field, let expected): "\(field) must be \(expected)"
        }
    }
}

public import CoreTracker

/// What is wrong with a configuration; it names the part at fault and never repeats a secret.
public enum ConfigurationError: Error, Hashable, Sendable {
    /// The text is no absolute URL with a host.
    case invalidURL
    /// Only `https` is allowed, and `http` to a loopback address.
    case insecureURL(host: String)
    /// The URL carries a user or password; credentials belong into headers.
    case credentialsInURL(host: String)
    /// The URL carries a fragment, which is never sent.
    case fragmentInURL(host: String)
    /// A header's name is no token of RFC 9110.
    case invalidHeaderName
    /// A header's value has control characters.
    case invalidHeaderValue(name: String)
    /// A key, identifier or other value of the vendor's configuration has the wrong form.
    case invalidValue(field: String, expected: String)
    /// Two destinations claim the same lane.
    case duplicateLane(LaneID)
    /// The engine was opened before.
    case alreadyOpen
    /// The engine was closed: it has one life, and the app makes another engine to go on.
    case closed
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
        case .duplicateLane(let lane): "two destinations claim the lane \(lane)"
        case .alreadyOpen: "the delivery engine is open already"
        case .closed: "the delivery engine was closed; an engine has one life, so make another one"
        }
    }
}

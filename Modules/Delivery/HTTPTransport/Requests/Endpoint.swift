#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A validated address of a receiver.
///
/// An endpoint uses `https`, or `http` with a loopback address. It has no credentials and no fragment. Inside a network
/// that encrypts, ``init(unencrypted:)`` accepts `http` with any address.
///
/// ```swift
/// let endpoint = try Endpoint("https://h.example/in?v=1%2B1")
/// ```
public struct Endpoint: Sendable, Hashable {
    /// The address.
    ///
    /// Its query may contain a secret, so no description includes it.
    public private(set) var url: URL

    /// Creates an endpoint from a URL string.
    ///
    /// - Parameter text: An absolute URL in ASCII.
    /// - Throws: ``ConfigurationError`` if the URL is not valid or not secure, or if it has credentials or a fragment.
    public init(_ text: String) throws(ConfigurationError) {
        try self.init(unencrypted: text)
        if url.isUnencrypted { throw .insecureURL(host: url.host() ?? "") }
    }

    /// Creates an endpoint from a URL string, which may use `http` with any address.
    ///
    /// With `http`, everybody on the way can read and change the events and the credentials of the requests. Use it only
    /// inside a network that you trust, or that encrypts by itself, such as a service mesh. The engine writes a warning
    /// when it opens, unless the address is a loopback address.
    ///
    /// - Parameter text: An absolute URL in ASCII, such as `http://otel-collector:4318`.
    /// - Throws: ``ConfigurationError`` if the URL is not valid, or if it has credentials or a fragment.
    public init(unencrypted text: String) throws(ConfigurationError) {
        let isClean = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isClean, let components = URLComponents(string: text), let url = components.url,
            let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = components.host, !host.isEmpty
        else { throw .invalidURL(quoting: text) }
        guard components.user == nil, components.password == nil else { throw .credentialsInURL(host: host) }
        guard components.fragment == nil else { throw .fragmentInURL(host: host) }
        // `URLComponents` accepts larger ports, and drops a port beyond 64 bits.
        let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        let end = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
        let port = end.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
        guard port.isEmpty || Int(port).flatMap(UInt16.init(exactly:)) != nil else {
            throw .invalidValue(field: "the port", expected: "0 to 65535")
        }
        var named = components
        // Without a server for names, only the name without the dot is found.
        if host.lowercased() == "localhost." { named.host = "localhost" }
        self.url = named.url ?? url
    }

    /// Creates the endpoint of a local test server, without a path.
    ///
    /// The rule that `http` requires a loopback address is not checked.
    ///
    /// - Parameters:
    ///   - host: A host name or address, which may be an address of the local network.
    ///   - port: The port.
    package init(httpHost host: String, port: UInt16) {
        var components = URLComponents()
        components.scheme = "http"
        components.percentEncodedHost = host
        components.port = Int(port)
        url = components.url ?? URL(filePath: "/")
    }

    /// Returns the endpoint with a path appended, such as `receiver/v1`.
    ///
    /// The query stays the same.
    ///
    /// - Parameter path: The path. Characters not allowed in a path are percent-encoded.
    /// - Returns: The new endpoint.
    public func appending(path: String) -> Endpoint {
        var endpoint = self
        endpoint.url = url.appending(path: path)
        return endpoint
    }

    /// Returns the URL with query items appended to its query.
    ///
    /// All characters except letters, digits and `-._~:` are percent-encoded. This includes `+`, which many receivers
    /// decode as a space.
    ///
    /// - Parameter items: The query items, in order.
    /// - Returns: The URL with the items.
    public func url(adding items: [URLQueryItem]) -> URL {
        guard !items.isEmpty, var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return url
        }
        let added = items.map { item in
            let name = Endpoint.encoded(item.name)
            return item.value.map { "\(name)=\(Endpoint.encoded($0))" } ?? name
        }
        let present = components.percentEncodedQuery.flatMap { $0.isEmpty ? nil : $0 }
        components.percentEncodedQuery = ([present].compactMap(\.self) + added).joined(separator: "&")
        return components.url ?? url
    }

    /// The decoded names of the query items in the address.
    package var queryNames: Set<String> {
        Set(URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.map(\.name) ?? [])
    }

    /// Returns the endpoint with a vendor's default path, if the address has no path.
    ///
    /// - Parameter path: The default path, which starts with a slash.
    /// - Returns: The new endpoint, or the same one if it has a path.
    /// - Throws: ``ConfigurationError`` if the result is not valid.
    package func replacingEmptyPath(with path: String) throws(ConfigurationError) -> Endpoint {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false),
            components.path.isEmpty || components.path == "/"
        else { return self }
        components.path = path
        return try Endpoint(unencrypted: components.string ?? "")
    }

    private static func encoded(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:".utf8)
        return text.utf8.reduce(into: "") { encoded, byte in
            if plain.contains(byte) {
                encoded.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// Returns whether a host is `localhost`, the address `::1` in any spelling, or an IPv4 address in 127.0.0.0/8,
    /// also if it is mapped to IPv6.
    ///
    /// A number with a leading zero is not accepted, because some programs read it as octal.
    ///
    /// - Parameter host: A host, with or without brackets.
    /// - Returns: Whether the host is a loopback address.
    package static func isLoopback(_ host: String) -> Bool {
        var name = host.filter { $0 != "[" && $0 != "]" }.lowercased()
        if ["localhost", "localhost."].contains(name) { return true }
        if let groups = groups(ofIPv6Address: name) {
            let isMapped = groups.starts(with: [0, 0, 0, 0, 0, 0xFFFF]) && groups[6] >> 8 == 127
            return isMapped || groups == [0, 0, 0, 0, 0, 0, 0, 1]
        }
        if name.hasPrefix(mappedPrefix) { name.removeFirst(mappedPrefix.count) }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "127" else { return false }
        return parts.allSatisfy { part in Int(part).map { 0...255 ~= $0 && "\($0)" == part } ?? false }
    }

    /// The beginning of an IPv4 address mapped to IPv6 (RFC 4291 §2.5.5.2).
    private static let mappedPrefix = "::ffff:"

    /// Returns the eight groups of an IPv6 address (RFC 4291 §2.2), or `nil` if the text has another form.
    private static func groups(ofIPv6Address text: String) -> [UInt16]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false).map { half in
            half.isEmpty ? [] : half.split(separator: ":", omittingEmptySubsequences: false)
        }
        let written = halves.flatMap(\.self)
        guard text.contains(":"), halves.count < 3, halves.count == 2 ? written.count < 8 : written.count == 8 else {
            return nil
        }
        let zeros = Array(repeating: Substring("0"), count: 8 - written.count)
        let groups = (halves[0] + zeros + halves.dropFirst().flatMap(\.self)).compactMap { group in
            group.utf8.count <= 4 && !group.hasPrefix("+") ? Int(group, radix: 16).flatMap(UInt16.init(exactly:)) : nil
        }
        return groups.count == 8 ? groups : nil
    }
}

extension URL {
    /// Whether requests to the address can be read on the way.
    package var isUnencrypted: Bool { scheme?.lowercased() == "http" && !Endpoint.isLoopback(host() ?? "") }
}

extension Endpoint: CustomStringConvertible, CustomReflectable {
    /// The scheme, the host and the port, if the address names one.
    public var description: String {
        let host = url.host() ?? ""
        let port = url.port.map { ":\($0)" } ?? ""
        return "\(url.scheme ?? "")://\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host)\(port)"
    }

    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}

/// A value with a redacted description, debug description and mirror.
public struct Secret: Sendable, Hashable {
    /// The value, to be used only in requests.
    public let value: String

    /// Creates a secret.
    ///
    /// - Parameter value: The value to protect.
    public init(_ value: String) {
        self.value = value
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹redacted›" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.value = value
    }
}

/// The SHA-256 digest of a receiver's public key, for key pinning.
public struct PublicKeyPin: Sendable, Equatable {
    /// The Base64 encoding of the digest of the key's SubjectPublicKeyInfo (DER).
    public let base64: String

    /// Creates a pin from a Base64 digest.
    ///
    /// This command prints the digest:
    ///
    /// ```sh
    /// openssl x509 -in certificate.pem -noout -pubkey | openssl pkey -pubin -outform der |
    ///     openssl dgst -sha256 -binary | base64
    /// ```
    ///
    /// - Parameter base64: The Base64 encoding of 32 bytes.
    /// - Throws: ``ConfigurationError/invalidValue(field:expected:)`` if the text is not Base64 of 32 bytes.
    public init(sha256 base64: String) throws(ConfigurationError) {
        guard let digest = Data(base64Encoded: base64), digest.count == 32 else {
            throw .invalidValue(field: "a public key's pin", expected: "the Base64 of 32 bytes")
        }
        self.base64 = base64
    }
}

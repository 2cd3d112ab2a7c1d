#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The checked address of a receiver: `https`, or `http` to a loopback address; no credentials, no fragment.
public struct Endpoint: Sendable, Hashable {
    /// The address; its query may hold a secret, so it appears in no description.
    public private(set) var url: URL

    /// Creates an endpoint from a URL's text, or says what is wrong with it.
    public init(_ text: String) throws(ConfigurationError) {
        let isClean = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isClean, let components = URLComponents(string: text), let url = components.url,
            let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = components.host, !host.isEmpty
        else { throw .invalidURL }
        guard components.user == nil, components.password == nil else { throw .credentialsInURL(host: host) }
        guard components.fragment == nil else { throw .fragmentInURL(host: host) }
        guard scheme == "https" || Endpoint.isLoopback(host) else { throw .insecureURL(host: host) }
        self.url = url
    }

    /// Creates the endpoint of a test server of this machine, without a path; the host may be one of the network.
    package init(httpHost host: String, port: UInt16) {
        var components = URLComponents()
        components.scheme = "http"
        components.percentEncodedHost = host
        components.port = Int(port)
        url = components.url ?? URL(filePath: "/")
    }

    /// Returns the endpoint with a path added to its own, such as `receiver/v1`; the query stays.
    ///
    /// Characters that a path must not have are percent-encoded.
    public func appending(path: String) -> Endpoint {
        var endpoint = self
        endpoint.url = url.appending(path: path)
        return endpoint
    }

    /// The URL with query items added after those that it has.
    ///
    /// All but letters, digits and `-._~:` is percent-encoded, `+` too, which many receivers read as a space.
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

    /// The names of the query items that the address has of its own.
    package var queryNames: Set<String> {
        Set(URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.map(\.name) ?? [])
    }

    /// The endpoint at a vendor's usual path, where the address has none of its own.
    package func replacingEmptyPath(with path: String) throws(ConfigurationError) -> Endpoint {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false),
            components.path.isEmpty || components.path == "/"
        else { return self }
        components.path = path
        return try Endpoint(components.string ?? "")
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

    /// Whether a host is `localhost`, `::1` or an IPv4 address that starts with 127.
    package static func isLoopback(_ host: String) -> Bool {
        let name = host.filter { $0 != "[" && $0 != "]" }.lowercased()
        if name == "localhost" || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && parts[0] == 127 && !parts.contains(nil)
    }
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

/// A value that must not be seen: its description, debug description and mirror are redacted.
public struct Secret: Sendable, Hashable {
    /// The value itself, for the wire alone.
    public let value: String

    /// Wraps a value.
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

/// The SHA-256 of a receiver's public key, which a transport can be told to insist on.
public struct PublicKeyPin: Sendable, Hashable {
    /// The digest of the key's SubjectPublicKeyInfo in DER, in Base64.
    public let base64: String

    /// Creates a pin from a digest in Base64, or says that it is none.
    ///
    /// `openssl x509 -in certificate.pem -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256
    /// -binary | base64` prints it.
    public init(sha256 base64: String) throws(ConfigurationError) {
        guard let digest = Data(base64Encoded: base64), digest.count == 32 else {
            throw .invalidValue(field: "a public key's pin", expected: "the Base64 of 32 bytes")
        }
        self.base64 = base64
    }
}

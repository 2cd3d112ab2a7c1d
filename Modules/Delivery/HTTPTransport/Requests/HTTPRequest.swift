#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request of a lane.
///
/// ```swift
/// let request = HTTPRequest(url: collector.url.url, body: [])
/// ```
public struct HTTPRequest: Sendable, Hashable {
    /// The address of the receiver.
    ///
    /// Its query may contain a secret.
    public var url: URL
    /// The method, which is `POST` for deliveries.
    public var method: String
    /// The headers, in order.
    ///
    /// The transport adds `Content-Length` and `Content-Encoding`.
    public var headers: [HTTPHeader]
    /// The body, before compression.
    public var body: [UInt8] {
        didSet { packedBody = nil }
    }
    /// Whether the receiver accepts gzip.
    ///
    /// A body is only compressed if that makes it smaller.
    public var allowsGzip: Bool
    /// The compressed body after ``pack()``, or `nil`.
    private var packedBody: [UInt8]?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The address of the receiver.
    ///   - method: The method.
    ///   - headers: The headers, in order.
    ///   - body: The body, before compression.
    ///   - allowsGzip: Whether the receiver accepts gzip.
    public init(
        url: URL,
        method: String = "POST",
        headers: [HTTPHeader] = [],
        body: [UInt8],
        allowsGzip: Bool = false
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.allowsGzip = allowsGzip
    }
}

extension HTTPRequest {
    /// Smaller bodies are not compressed, because there is little to gain.
    private static let smallestPackedBody = 1024

    /// Compresses the body, if that is allowed and makes it smaller.
    ///
    /// The result is kept. All attempts with the request and its copies use it.
    package mutating func pack() {
        guard allowsGzip, packedBody == nil else { return }
        packedBody = body.count >= HTTPRequest.smallestPackedBody ? Gzip.compress(body) : nil
        allowsGzip = packedBody != nil
    }

    /// The body to send: the compressed one, if the request is packed and allows it.
    package var sentBody: [UInt8] { allowsGzip ? packedBody ?? body : body }

    /// Whether the request is packed, and its body is sent with gzip.
    package var isCompressed: Bool { allowsGzip && packedBody != nil }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, scheme and host.
    ///
    /// The rest may contain secrets or personal data.
    public var description: String { "\(method) \(url.scheme ?? "")://\(url.host ?? "")" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// A validated header of a request.
///
/// Validation prevents values that inject further headers.
public struct HTTPHeader: Sendable, Hashable {
    /// The name of the field, which is a token (RFC 9110 §5.1).
    public let name: String
    /// The value of the field, without control characters such as CR, LF or NUL (RFC 9110 §5.5).
    public let value: String

    /// Creates a header.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value of the field.
    /// - Throws: ``ConfigurationError/invalidHeaderName`` or ``ConfigurationError/invalidHeaderValue(name:)``. Neither
    ///   contains the value.
    public init(_ name: String, _ value: String) throws(ConfigurationError) {
        guard !name.isEmpty, name.utf8.allSatisfy(HTTPHeader.isTokenCharacter) else {
            throw .invalidHeaderName
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw .invalidHeaderValue(name: name)
        }
        self.name = name
        self.value = value
    }

    /// Creates a header from literals, which are not validated, such as `HTTPHeader(fixed: "Accept", "text/plain")`.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value of the field.
    public init(fixed name: StaticString, _ value: StaticString) {
        self.name = name.description
        self.value = value.description
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension HTTPHeader: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and a placeholder, because the value may be a credential.
    public var description: String { "\(name): ‹redacted›" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One request of a lane.
public struct HTTPRequest: Sendable, Hashable {
    /// Where to; its query may hold a secret.
    public var url: URL
    /// The method, `POST` for everything that delivers.
    public var method: String
    /// The headers, in order; `Content-Length` and `Content-Encoding` are added below.
    public var headers: [HTTPHeader]
    /// The body before compression.
    public var body: [UInt8]
    /// Whether the receiver takes gzip; a body that does not get smaller is sent as it is.
    public var allowsGzip: Bool

    /// Creates a request.
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

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the host alone: the URL, the headers and the body may hold secrets and what users did.
    public var description: String { "\(method) \(url.scheme ?? "")://\(url.host ?? "")" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// One header of a request, checked when it is made, so that no value can add a second header to the wire.
public struct HTTPHeader: Sendable, Hashable {
    /// The field's name, a token of RFC 9110 §5.1.
    public let name: String
    /// The field's value, without CR, LF, NUL or other control characters (RFC 9110 §5.5).
    public let value: String

    /// Creates a header, or says what is wrong with it without repeating its value.
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

    /// Creates a header from text in this package's own source, which the compiler sees.
    package init(fixed name: StaticString, _ value: StaticString) {
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
    /// The name alone: a value may be a credential.
    public var description: String { "\(name): ‹redacted›" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

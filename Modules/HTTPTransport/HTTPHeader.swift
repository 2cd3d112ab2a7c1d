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

extension HTTPHeader: CustomStringConvertible {
    /// The name alone: a value may be a credential.
    public var description: String { "\(name): ‹redacted›" }
}

/// An event in the body of a request.
public struct CollectedEvent: Sendable, Hashable {
    /// The event's id, or an empty string if it has none.
    public let id: String
    /// The event's name, or an empty string if it has none.
    public let name: String
    /// The event as JSON, as the receiver decodes it.
    public let json: CollectedValue
    /// The arrival number of the event's request.
    public let arrival: Int
    /// The range of the event's text in the body of the request.
    public let range: Range<Int>
}

/// A decoded JSON value.
public enum CollectedValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([CollectedValue])
    /// An object.
    ///
    /// If a key occurs twice, the last value is used.
    case object([String: CollectedValue])

    /// Parses a JSON text (RFC 8259).
    ///
    /// - Parameter text: The whole text, in UTF-8.
    /// - Returns: The value, or `nil` if the text is not valid or is nested more than 128 levels deep.
    public init?(_ text: [UInt8]) {
        var scanner = JSONScanner(text)
        guard let value = try? scanner.value(), scanner.isAtEnd else { return nil }
        self = value
    }

    /// The value of a key, or `nil` if this is not an object or it has no such key.
    ///
    /// - Parameter key: The name of a member.
    public subscript(key: String) -> CollectedValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element at an index, or `nil` if this is not an array or it has no such element.
    ///
    /// - Parameter index: The position of an element, from 0.
    public subscript(index: Int) -> CollectedValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The text of a string, or `nil` if this is not a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// Returns the value at a path of keys.
    ///
    /// In an array, a key selects the member `value` of the element whose member `key` has this name.
    func value(at path: some Sequence<String>) -> CollectedValue? {
        path.reduce(self) { value, key in value?[key] ?? value?.attribute(key) }
    }

    private func attribute(_ name: String) -> CollectedValue? {
        guard case .array(let elements) = self else { return nil }
        return elements.first { $0["key"] == .string(name) }?["value"]
    }
}

extension CollectedValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension CollectedEvent: CustomStringConvertible {
    /// The name and the event as JSON, such as `product_viewed {"item_id":"7"}`.
    public var description: String { "\(name) \(json)" }
}

extension CollectedValue: CustomStringConvertible {
    /// The value as JSON, with the members of objects sorted by key.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let text): CollectedValue.quoted(text)
        case .array(let elements): "[\(elements.map(\.description).joined(separator: ","))]"
        case .object(let members): CollectedValue.text(of: members)
        }
    }

    private static func text(of members: [String: CollectedValue]) -> String {
        let pairs = members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\($0.value)" }
        return "{\(pairs.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case ..<" ": "\\u\(String(0x1_0000 + scalar.value, radix: 16).dropFirst())"
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}

/// A value of a received JSON text.
public enum CollectedValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([CollectedValue])
    /// An object; of two equal keys the last counts.
    case object([String: CollectedValue])

    /// Parses a whole JSON text (RFC 8259); `nil` when it is none, or nested deeper than 128.
    public init?(_ text: [UInt8]) {
        var scanner = JSONScanner(text)
        guard let value = try? scanner.value(), scanner.isAtEnd else { return nil }
        self = value
    }

    /// The member of an object, or nothing.
    public subscript(key: String) -> CollectedValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element of a list, or nothing.
    public subscript(index: Int) -> CollectedValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The text of a string, or nothing.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value under a path of keys, or nothing; in a list, a key selects the `value` of the element with that `key`.
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

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

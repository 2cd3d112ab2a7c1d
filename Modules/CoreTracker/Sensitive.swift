/// A value that tells of a person, such as an address; it reaches a service only as a policy says.
///
/// It is no ``ParameterValue`` and has no public way back to the value: it becomes a parameter by
/// ``EventParameters/sensitive(_:as:_:)``, with a ``SensitivePolicy``, and the delivery engine applies the policy
/// before anything is written. Printed, logged, interpolated or mirrored it shows nothing of the value.
public struct Sensitive<Value: ParameterRepresentable>: Sendable {
    /// The value, for the policy alone.
    let value: Value

    /// Wraps a value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension Sensitive: Equatable where Value: Equatable {}

extension Sensitive: Hashable where Value: Hashable {}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹redacted›" }
    public var debugDescription: String { "‹redacted›" }
    /// Has no children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Sensitive: SensitiveText {
    package func occurs(in text: String) -> Bool {
        guard let own = value.parameterValue.text, !own.isEmpty else { return false }
        return text.contains(own)
    }
}

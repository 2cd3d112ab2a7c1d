/// A type whose values can be parameters: text, numbers, truth values, and what an app makes of them.
public protocol ParameterRepresentable: Sendable {
    /// The value as a parameter.
    var parameterValue: ParameterValue { get }
}

extension String: ParameterRepresentable {
    public var parameterValue: ParameterValue { .string(self) }
}

extension Int: ParameterRepresentable {
    public var parameterValue: ParameterValue { .int(self) }
}

extension Double: ParameterRepresentable {
    public var parameterValue: ParameterValue { .double(self) }
}

extension Bool: ParameterRepresentable {
    public var parameterValue: ParameterValue { .bool(self) }
}

/// A type whose values can be parameters, such as text, numbers, Booleans, lists, objects and a module's own types.
///
/// An enumeration with a raw value of such a type only declares the conformance. Its raw values are the parameters.
public protocol ParameterRepresentable: Sendable {
    /// The value as a parameter.
    var parameterValue: ParameterValue { get }
}

extension String: ParameterRepresentable {
    @inlinable public var parameterValue: ParameterValue { .string(self) }
}

extension Int: ParameterRepresentable {
    @inlinable public var parameterValue: ParameterValue { .int(self) }
}

extension Double: ParameterRepresentable {
    @inlinable public var parameterValue: ParameterValue { .double(self) }
}

extension Bool: ParameterRepresentable {
    @inlinable public var parameterValue: ParameterValue { .bool(self) }
}

extension Array: ParameterRepresentable where Element: ParameterRepresentable {
    @inlinable public var parameterValue: ParameterValue { .array(map { $0.parameterValue }) }
}

extension ParameterList: ParameterRepresentable {
    @inlinable public var parameterValue: ParameterValue { .array(self) }
}

extension EventParameters: ParameterRepresentable {
    @inlinable public var parameterValue: ParameterValue { .object(self) }
}

extension ParameterValue: ParameterRepresentable {
    @inlinable public var parameterValue: ParameterValue { self }
}

extension ParameterRepresentable where Self: RawRepresentable, RawValue: ParameterRepresentable {
    /// The raw value as a parameter.
    @inlinable public var parameterValue: ParameterValue { rawValue.parameterValue }
}

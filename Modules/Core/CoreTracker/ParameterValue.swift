/// A value of a parameter.
///
/// The set of cases is closed. Every service can therefore encode every value, every test can compare it, and it can be
/// sent between threads.
public enum ParameterValue: Sendable, Hashable {
    /// Text.
    case string(String)
    /// An integer.
    case int(Int)
    /// A floating-point number.
    ///
    /// If it is not finite, encoders leave it out and count it.
    case double(Double)
    /// A Boolean.
    ///
    /// A service without Booleans receives 1 or 0.
    case bool(Bool)
    /// A list, such as the `items` of a purchase.
    case array(ParameterList)
    /// A nested, ordered set of parameters, such as one element of `items`.
    case object(EventParameters)
}

extension ParameterValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension ParameterValue: ExpressibleByStringInterpolation {}

extension ParameterValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) {
        self = .int(value)
    }
}

extension ParameterValue: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) {
        self = .double(value)
    }
}

extension ParameterValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension ParameterValue: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: ParameterValue...) {
        self = .array(ParameterList(elements))
    }
}

extension ParameterValue: ExpressibleByDictionaryLiteral {
    /// Creates an object.
    ///
    /// - Parameter elements: The keys and values. If a key repeats, its last value takes the position of the first.
    public init(dictionaryLiteral elements: (ParameterKey, ParameterValue)...) {
        self = .object(EventParameters(elements))
    }
}

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

extension Float: ParameterRepresentable {
    /// The number with the fewest decimal digits that is the same `Float`, such as 0.1.
    public var parameterValue: ParameterValue { .double(Double(description) ?? Double(self)) }
}

extension ParameterRepresentable where Self: FixedWidthInteger {
    /// The integer, or its digits as text if it does not fit an `Int`.
    public var parameterValue: ParameterValue { Int(exactly: self).map { .int($0) } ?? .string(String(self)) }
}

extension Int8: ParameterRepresentable {}
extension Int16: ParameterRepresentable {}
extension Int32: ParameterRepresentable {}
extension Int64: ParameterRepresentable {}
extension UInt: ParameterRepresentable {}
extension UInt8: ParameterRepresentable {}
extension UInt16: ParameterRepresentable {}
extension UInt32: ParameterRepresentable {}
extension UInt64: ParameterRepresentable {}

extension Duration: ParameterRepresentable {
    /// The number of whole milliseconds, rounded towards zero.
    ///
    /// Give it a wire name that ends with `_ms`.
    public var parameterValue: ParameterValue {
        let bound = Int64(Int.max / 1_000 - 1)
        let seconds = min(max(components.seconds, -bound), bound)
        return .int(Int(seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000))
    }
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

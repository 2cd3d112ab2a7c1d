/// The closed set of values that a parameter can have.
///
/// It is closed so that every value can be encoded by every service, compared in a test and sent between threads.
public enum ParameterValue: Sendable, Hashable {
    /// Text.
    case string(String)
    /// A whole number.
    case int(Int)
    /// A number with a fraction. What is not finite reaches no service: encoders write it as absent and count it.
    case double(Double)
    /// A truth value. A service without such a type gets 1 or 0.
    case bool(Bool)
    /// A list, such as the `items` of a purchase; an array of values makes one.
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
    /// Creates an object; of two equal keys the later value stands at the place of the first.
    public init(dictionaryLiteral elements: (ParameterKey, ParameterValue)...) {
        self = .object(EventParameters(elements))
    }
}

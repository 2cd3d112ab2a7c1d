/// The wire name of one parameter.
///
/// An event declares its keys once, beside it, as static members, so that a misspelt name does not compile:
/// `extension ParameterKey { static let basketID: ParameterKey = "basket_id" }`.
public struct ParameterKey: Sendable, Hashable {
    /// The name as the service receives it.
    public let name: String

    /// Creates a key from its wire name; services check the name against their own rules.
    public init(_ name: String) {
        self.name = name
    }
}

extension ParameterKey: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        name = value
    }
}

extension ParameterKey: CustomStringConvertible {
    public var description: String { name }
}

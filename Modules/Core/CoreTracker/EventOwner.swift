/// A team that is responsible for events, under its name in the tracking plan.
///
/// A module declares its owner once: `extension EventOwner { static let checkout: EventOwner = "Checkout" }`.
public struct EventOwner: Sendable, Hashable {
    /// The team's name.
    public let name: String

    /// Creates an owner.
    ///
    /// - Parameter name: The team's name.
    public init(_ name: String) {
        self.name = name
    }
}

extension EventOwner: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        name = value
    }
}

extension EventOwner: CustomStringConvertible {
    public var description: String { name }
}

/// The team that answers for events, as the tracking plan names it.
///
/// A module declares its owner once: `extension EventOwner { static let checkout: EventOwner = "Checkout" }`.
public struct EventOwner: Sendable, Hashable {
    /// The team's name.
    public let name: String

    /// Creates an owner from the team's name.
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

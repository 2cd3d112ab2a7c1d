/// What the user has said about a purpose.
public enum Consent: String, Sendable, Hashable, CaseIterable {
    /// Nothing yet: events are held apart, within a small budget, and none is sent.
    case unknown
    /// Yes: events are sent; held ones are released in their order and with their times.
    case granted
    /// No: nothing is taken, sent or kept.
    case denied
}

/// What a user agrees to or refuses, such as analytics or marketing; open to an app's own purposes.
public struct ConsentPurpose: Sendable, Hashable {
    /// The purpose's name.
    public let name: String

    /// Creates a purpose.
    public init(_ name: String) {
        self.name = name
    }

    /// Measuring how the product is used.
    public static let analytics = ConsentPurpose("analytics")
    /// Addressing the user with campaigns.
    public static let marketing = ConsentPurpose("marketing")
}

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

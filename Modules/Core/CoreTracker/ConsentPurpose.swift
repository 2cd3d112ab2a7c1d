/// A use of data that the user can agree to or refuse, such as analytics or marketing.
///
/// Each destination has a purpose. An app can define more purposes, such as `ConsentPurpose("ads")`.
public struct ConsentPurpose: Sendable, Hashable {
    /// The purpose's name.
    public let name: String

    /// Creates a purpose.
    ///
    /// - Parameter name: The purpose's name, under which decisions are stored.
    public init(_ name: String) {
        self.name = name
    }

    /// Measurement of the use of the product.
    public static let analytics = ConsentPurpose("analytics")
    /// Campaigns addressed to the user.
    public static let marketing = ConsentPurpose("marketing")
}

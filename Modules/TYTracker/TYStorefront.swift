/// The country's shop that a user of Trendyol is in.
public struct TYStorefront: Sendable, Hashable {
    /// The number that the in-house service knows the storefront by.
    public var id: Int
    /// The country, two upper-case letters of ISO 3166-1.
    public var country: String
    /// The currency of its prices, three upper-case letters of ISO 4217.
    public var currency: String
    /// The language and region of its texts, such as `tr-TR`.
    public var language: String

    /// Creates a storefront.
    public init(id: Int, country: String, currency: String, language: String) {
        self.id = id
        self.country = country
        self.currency = currency
        self.language = language
    }

    /// Türkiye.
    public static let turkey = TYStorefront(id: 1, country: "TR", currency: "TRY", language: "tr-TR")
    /// Germany.
    public static let germany = TYStorefront(id: 2, country: "DE", currency: "EUR", language: "de-DE")
}

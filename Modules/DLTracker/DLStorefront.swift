/// The country's shop that a user of Dolap Lite is in.
public struct DLStorefront: Sendable, Hashable {
    /// The country, two upper-case letters of ISO 3166-1.
    public var country: String
    /// The currency of its prices, three upper-case letters of ISO 4217.
    public var currency: String
    /// The language of its texts, two lower-case letters of ISO 639-1.
    public var language: String

    /// Creates a storefront.
    public init(country: String, currency: String, language: String) {
        self.country = country
        self.currency = currency
        self.language = language
    }

    /// Türkiye.
    public static let turkey = DLStorefront(country: "TR", currency: "TRY", language: "tr")
    /// Azerbaijan.
    public static let azerbaijan = DLStorefront(country: "AZ", currency: "AZN", language: "az")
}

/// The shop of one country, which determines currency and language.
public struct DLStorefront: Sendable, Hashable {
    /// The country: two upper-case letters (ISO 3166-1).
    public var country: String
    /// The currency of prices: three upper-case letters (ISO 4217).
    public var currency: String
    /// The language of texts: two lower-case letters (ISO 639-1).
    public var language: String

    /// Creates a storefront.
    ///
    /// - Parameters:
    ///   - country: The country: two upper-case letters (ISO 3166-1).
    ///   - currency: The currency of prices: three upper-case letters (ISO 4217).
    ///   - language: The language of texts: two lower-case letters (ISO 639-1).
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

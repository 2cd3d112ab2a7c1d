/// The shop of one country, which determines currency and language.
public struct TYStorefront: Sendable, Hashable {
    /// The number that identifies the storefront in AwesomeTracking.
    public var id: Int
    /// The country: two upper-case letters (ISO 3166-1).
    public var country: String
    /// The currency of prices: three upper-case letters (ISO 4217).
    public var currency: String
    /// The language and region of texts, such as `tr-TR`.
    public var language: String

    /// Creates a storefront.
    ///
    /// - Parameters:
    ///   - id: The number that identifies the storefront in AwesomeTracking.
    ///   - country: The country: two upper-case letters (ISO 3166-1).
    ///   - currency: The currency of prices: three upper-case letters (ISO 4217).
    ///   - language: The language and region of texts, such as `tr-TR`.
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

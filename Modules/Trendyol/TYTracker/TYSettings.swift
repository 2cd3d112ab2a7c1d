public import CoreTracker

/// The settings of Trendyol's app, which can change while it runs.
public struct TYSettings: Sendable, Hashable {
    /// The user's storefront, with its currency and language.
    public var storefront: TYStorefront
    /// The app that events come from.
    public var channel: String

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - storefront: The user's storefront.
    ///   - channel: The app that events come from.
    public init(storefront: TYStorefront = .turkey, channel: String = "trendyol") {
        self.storefront = storefront
        self.channel = channel
    }

    /// The settings of the running app.
    ///
    /// By default, ``TYAwesomeTrackingService`` reads them on each call of `track(_:)`.
    ///
    /// Trendyol shares two instances in a process: this one and `DeliveryEngine.shared`. The app changes the settings
    /// with `TYSettings.current.update { $0.storefront = .germany }`. A test passes separate settings to
    /// ``TYTracker/init(on:settings:vendorService:)``.
    public static let current = ProductSettings(TYSettings()) { $0.awesomeTrackingDefaults }
}

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

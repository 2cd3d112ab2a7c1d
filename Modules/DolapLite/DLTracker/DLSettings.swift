public import CoreTracker

/// The settings of Dolap Lite's app, which can change while it runs.
///
/// ```swift
/// DLSettings.current.update { $0.storefront = .azerbaijan }
/// ```
public struct DLSettings: Sendable, Hashable {
    /// The user's storefront, with its currency and language.
    public var storefront: DLStorefront
    /// The app that events come from.
    public var channel: String

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - storefront: The user's storefront.
    ///   - channel: The app that events come from.
    public init(storefront: DLStorefront = .turkey, channel: String = "dolap_lite") {
        self.storefront = storefront
        self.channel = channel
    }

    /// The settings of the running app.
    ///
    /// By default, ``DLAwesomeTrackingService`` reads them on each call of `track(_:)`.
    ///
    /// Dolap Lite shares two instances in a process: this one and `DeliveryEngine.shared`. The app changes the settings
    /// with `DLSettings.current.update { $0.storefront = .azerbaijan }`. A test passes separate settings to
    /// ``DLTracker/init(on:settings:vendorService:)``.
    public static let current = ProductSettings(DLSettings()) { $0.awesomeTrackingDefaults }
}

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

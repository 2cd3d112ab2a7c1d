import CoreTracker
public import EventDeliveryAPI

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

/// The parameter keys that several of Dolap Lite's AwesomeTracking events share.
extension EventParameter {
    /// The brand of a product.
    static let brand = Key<String>("brand")
    /// The app that an event comes from.
    static let channel = Key<String>("channel")
    /// The category code of a product.
    static let category = Key<String>("category")
    /// The condition of a product.
    static let condition = Key<DLProduct.Condition>("condition")
    /// The currency of prices; an event's currency overrides that of the storefront.
    static let currency = Key<String>("currency")
    /// The id of a product, unlike `product_id`, which is the id of Dolap Lite itself.
    static let itemID = Key<String>("item_id")
    /// The lines of a basket.
    static let items = Key<[EventParameters]>("items")
    /// The language of the storefront's texts.
    static let language = Key<String>("language")
    /// The platform that the app runs on.
    static let platform = Key<String>("platform")
    /// The price of one piece.
    static let price = Key<Double>("price")
    /// The id of Dolap Lite itself.
    static let productID = Key<String>("product_id")
    /// The number of pieces.
    static let quantity = Key<Int>("quantity")
    /// The country of the storefront.
    static let storefront = Key<String>("storefront")
    /// The total price of a basket.
    static let total = Key<Double>("total")
}

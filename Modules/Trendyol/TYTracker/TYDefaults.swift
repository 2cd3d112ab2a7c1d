public import CoreTracker

/// The default parameters of each service.
///
/// Firebase gets none, because it accepts at most 25 per event.
extension TYSettings {
    /// The default parameters that every Trendyol event has in AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters {
        [
            .channel(channel), .productID("TY"), .storefront(storefront.country), .storefrontID(storefront.id),
            .currency(storefront.currency), .language(storefront.language), .platform(AwesomeTrackingPlatform.current),
        ]
    }
}

/// The parameter keys that several of Trendyol's AwesomeTracking events share.
extension EventParameter {
    /// The brand of a product.
    static let brandName = Key<String>("brand_name")
    /// The app that an event comes from.
    static let channel = Key<String>("channel")
    /// The total price of a cart, without shipping.
    static let cartTotal = Key<Double>("cart_total")
    /// The categories of a product, joined by `>`.
    static let categoryPath = Key<String>("category_path")
    /// The id of a product, unlike `product_id`, which is the id of Trendyol itself.
    static let contentID = Key<String>("content_id")
    /// The lines of a cart.
    static let contents = Key<[EventParameters]>("contents")
    /// The number of pieces.
    static let count = Key<Int>("count")
    /// The currency of prices; an event's currency overrides that of the storefront.
    static let currency = Key<String>("currency")
    /// The language of the storefront's texts.
    static let language = Key<String>("language")
    /// The price of one piece, before discount.
    static let listPrice = Key<Double>("list_price")
    /// The merchant that sells a product.
    static let merchantID = Key<String>("merchant_id")
    /// The platform that the app runs on.
    static let platform = Key<String>("platform")
    /// The id of Trendyol itself.
    static let productID = Key<String>("product_id")
    /// The price of one piece, after discount.
    static let salePrice = Key<Double>("sale_price")
    /// The country of the storefront.
    static let storefront = Key<String>("storefront")
    /// The number of the storefront.
    static let storefrontID = Key<Int>("storefront_id")
}

import CoreTracker

/// The names that several of Trendyol's in-house events share.
extension EventParameter {
    /// The brand of a product.
    static let brandName = Key<String>("brand_name")
    /// The app that an event comes from.
    static let channel = Key<String>("channel")
    /// What a cart is worth, without shipping.
    static let cartTotal = Key<Double>("cart_total")
    /// The categories of a product, joined by `>`.
    static let categoryPath = Key<String>("category_path")
    /// The id of a product; `product_id` is the id of Trendyol itself.
    static let contentID = Key<String>("content_id")
    /// The lines of a cart.
    static let contents = Key<[EventParameters]>("contents")
    /// How many pieces.
    static let count = Key<Int>("count")
    /// The currency of prices; an event's own wins over the storefront's.
    static let currency = Key<String>("currency")
    /// The language of the storefront's texts.
    static let language = Key<String>("language")
    /// The price of one piece before discount.
    static let listPrice = Key<Double>("list_price")
    /// The merchant that sells a product.
    static let merchantID = Key<String>("merchant_id")
    /// The platform that the app runs on.
    static let platform = Key<String>("platform")
    /// The id of Trendyol itself.
    static let productID = Key<String>("product_id")
    /// The price of one piece, after discount.
    static let salePrice = Key<Double>("sale_price")
    /// The country's shop.
    static let storefront = Key<String>("storefront")
    /// The number of the country's shop.
    static let storefrontID = Key<Int>("storefront_id")
}

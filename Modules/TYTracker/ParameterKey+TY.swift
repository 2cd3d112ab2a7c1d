import CoreTracker

/// The names that several of Trendyol's in-house events share.
extension ParameterKey {
    /// The brand of a product.
    static let brandName: ParameterKey = "brand_name"
    /// The app that an event comes from.
    static let channel: ParameterKey = "channel"
    /// What a cart is worth, without shipping.
    static let cartTotal: ParameterKey = "cart_total"
    /// The categories of a product, joined by `>`.
    static let categoryPath: ParameterKey = "category_path"
    /// The id of a product; `product_id` is the id of Trendyol itself.
    static let contentID: ParameterKey = "content_id"
    /// The lines of a cart.
    static let contents: ParameterKey = "contents"
    /// How many pieces.
    static let count: ParameterKey = "count"
    /// The currency of prices; an event's own wins over the storefront's.
    static let currency: ParameterKey = "currency"
    /// The language of the storefront's texts.
    static let language: ParameterKey = "language"
    /// The price of one piece before discount.
    static let listPrice: ParameterKey = "list_price"
    /// The merchant that sells a product.
    static let merchantID: ParameterKey = "merchant_id"
    /// The platform that the app runs on.
    static let platform: ParameterKey = "platform"
    /// The id of Trendyol itself.
    static let productID: ParameterKey = "product_id"
    /// The price of one piece, after discount.
    static let salePrice: ParameterKey = "sale_price"
    /// The country's shop.
    static let storefront: ParameterKey = "storefront"
    /// The number of the country's shop.
    static let storefrontID: ParameterKey = "storefront_id"
}

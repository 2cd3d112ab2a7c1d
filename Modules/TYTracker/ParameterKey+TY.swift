import CoreTracker

/// The names that several of Trendyol's in-house events share.
extension ParameterKey {
    /// The brand of a product.
    static let brandName: ParameterKey = "brand_name"
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
    /// The price of one piece before discount.
    static let listPrice: ParameterKey = "list_price"
    /// The merchant that sells a product.
    static let merchantID: ParameterKey = "merchant_id"
    /// The price of one piece, after discount.
    static let salePrice: ParameterKey = "sale_price"
}

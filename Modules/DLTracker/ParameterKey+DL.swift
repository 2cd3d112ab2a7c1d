import CoreTracker

/// The names that several of Dolap Lite's in-house events share.
extension ParameterKey {
    /// The brand of a product.
    static let brand: ParameterKey = "brand"
    /// The app that an event comes from.
    static let channel: ParameterKey = "channel"
    /// The category code of a product.
    static let category: ParameterKey = "category"
    /// How worn a product is.
    static let condition: ParameterKey = "condition"
    /// The currency of prices; an event's own wins over the storefront's.
    static let currency: ParameterKey = "currency"
    /// The id of a product; `product_id` is the id of Dolap Lite itself.
    static let itemID: ParameterKey = "item_id"
    /// The lines of a basket.
    static let items: ParameterKey = "items"
    /// The language of the storefront's texts.
    static let language: ParameterKey = "language"
    /// The platform that the app runs on.
    static let platform: ParameterKey = "platform"
    /// The price of one piece.
    static let price: ParameterKey = "price"
    /// The id of Dolap Lite itself.
    static let productID: ParameterKey = "product_id"
    /// How many pieces.
    static let quantity: ParameterKey = "quantity"
    /// The country's shop.
    static let storefront: ParameterKey = "storefront"
    /// What a basket is worth.
    static let total: ParameterKey = "total"
}

import CoreTracker

/// The names that several of Dolap Lite's in-house events share.
extension EventParameter {
    /// The brand of a product.
    static let brand = Key<String>("brand")
    /// The app that an event comes from.
    static let channel = Key<String>("channel")
    /// The category code of a product.
    static let category = Key<String>("category")
    /// How worn a product is.
    static let condition = Key<DLProduct.Condition>("condition")
    /// The currency of prices; an event's own wins over the storefront's.
    static let currency = Key<String>("currency")
    /// The id of a product; `product_id` is the id of Dolap Lite itself.
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
    /// How many pieces.
    static let quantity = Key<Int>("quantity")
    /// The country's shop.
    static let storefront = Key<String>("storefront")
    /// What a basket is worth.
    static let total = Key<Double>("total")
}

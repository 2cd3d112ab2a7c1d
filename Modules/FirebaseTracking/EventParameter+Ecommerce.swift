import CoreTracker

/// The names of GA4's recommended e-commerce events and their items.
extension EventParameter {
    /// Who sells an item within the shop.
    static let affiliation = Key<String>("affiliation")
    /// The currency of all prices.
    static let currency = Key<String>("currency")
    /// The discount on one piece.
    static let discount = Key<Double>("discount")
    /// The place in a list.
    static let index = Key<Int>("index")
    /// The brand.
    static let itemBrand = Key<String>("item_brand")
    /// The widest category.
    static let itemCategory = Key<String>("item_category")
    /// The category below it.
    static let itemCategory2 = Key<String>("item_category2")
    /// The category below that.
    static let itemCategory3 = Key<String>("item_category3")
    /// The fourth category.
    static let itemCategory4 = Key<String>("item_category4")
    /// The narrowest category that GA4 has room for.
    static let itemCategory5 = Key<String>("item_category5")
    /// The item's id in the shop.
    static let itemID = Key<String>("item_id")
    /// The variant.
    static let itemVariant = Key<String>("item_variant")
    /// The items.
    static let items = Key<[EventParameters]>("items")
    /// The price of one piece.
    static let price = Key<Double>("price")
    /// How many pieces.
    static let quantity = Key<Int>("quantity")
    /// What all items are worth together.
    static let value = Key<Double>("value")
}

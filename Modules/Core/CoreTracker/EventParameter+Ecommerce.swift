/// The keys of GA4's recommended e-commerce events and their items.
extension EventParameter {
    /// The seller of an item within the shop.
    static let affiliation = Key<String>("affiliation")
    /// The currency of all prices, as an ISO 4217 code.
    static let currency = Key<String>("currency")
    /// The discount per unit.
    static let discount = Key<Double>("discount")
    /// The position in a list.
    static let index = Key<Int>("index")
    /// The brand.
    static let itemBrand = Key<String>("item_brand")
    /// The top-level category.
    static let itemCategory = Key<String>("item_category")
    /// The second level of the category.
    static let itemCategory2 = Key<String>("item_category2")
    /// The third level of the category.
    static let itemCategory3 = Key<String>("item_category3")
    /// The fourth level of the category.
    static let itemCategory4 = Key<String>("item_category4")
    /// The fifth and last level of the category.
    static let itemCategory5 = Key<String>("item_category5")
    /// The item's ID in the shop.
    static let itemID = Key<String>("item_id")
    /// The variant.
    static let itemVariant = Key<String>("item_variant")
    /// The items.
    static let items = Key<[EventParameters]>("items")
    /// The price per unit.
    static let price = Key<Double>("price")
    /// The number of units.
    static let quantity = Key<Int>("quantity")
    /// The total value of all items.
    static let value = Key<Double>("value")
}

/// An element of `items` in GA4's recommended e-commerce events.
///
/// Names and types are those of the GA4 reference. `nil` values are left out.
public struct FirebaseItem: Sendable, Hashable {
    /// The item's ID in the shop.
    ///
    /// An item with an empty ID is left out of the event and counted.
    public var id: String
    /// The brand.
    public var brand: String?
    /// The category and its subcategories, from the top level down.
    ///
    /// GA4 accepts five levels.
    public var categories: [String]
    /// The variant, such as a color or a condition.
    public var variant: String?
    /// The seller within the shop.
    public var affiliation: String?
    /// The price per unit, after discount.
    public var price: Double
    /// The discount per unit.
    public var discount: Double?
    /// The number of units.
    public var quantity: Int
    /// The position in a list, starting at 0.
    public var index: Int?

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - id: The item's ID in the shop.
    ///   - brand: The brand.
    ///   - categories: The category and its subcategories, from the top level down; five at most.
    ///   - variant: The variant, such as a color or a condition.
    ///   - affiliation: The seller within the shop.
    ///   - price: The price per unit, after discount.
    ///   - discount: The discount per unit.
    ///   - quantity: The number of units.
    ///   - index: The position in a list, starting at 0.
    public init(
        id: String,
        brand: String? = nil,
        categories: [String] = [],
        variant: String? = nil,
        affiliation: String? = nil,
        price: Double,
        discount: Double? = nil,
        quantity: Int = 1,
        index: Int? = nil
    ) {
        self.id = id
        self.brand = brand
        self.categories = categories
        self.variant = variant
        self.affiliation = affiliation
        self.price = price
        self.discount = discount
        self.quantity = quantity
        self.index = index
    }

    /// The item as parameters of an event.
    public var parameters: EventParameters {
        [
            .itemID(id), .itemBrand(brand), .itemCategory(category(0)), .itemCategory2(category(1)),
            .itemCategory3(category(2)), .itemCategory4(category(3)), .itemCategory5(category(4)),
            .itemVariant(variant), .affiliation(affiliation), .price(price), .discount(discount), .quantity(quantity),
            .index(index),
        ]
    }

    private func category(_ level: Int) -> String? {
        categories.indices.contains(level) ? categories[level] : nil
    }
}

public import CoreTracker

/// One member of `items` in GA4's recommended e-commerce events.
///
/// Names and types as the GA4 reference lists them; what is `nil` is left out.
public struct FirebaseItem: Sendable, Hashable {
    /// The item's id in the shop; an item without one is refused.
    public var id: String
    /// The brand.
    public var brand: String?
    /// The category and its sub-categories, the widest first; GA4 has room for five.
    public var categories: [String]
    /// The variant, such as a colour or a condition.
    public var variant: String?
    /// Who sells it within the shop.
    public var affiliation: String?
    /// The price of one piece, after discount.
    public var price: Double
    /// The discount on one piece.
    public var discount: Double?
    /// How many pieces.
    public var quantity: Int
    /// The place in a list, from 0.
    public var index: Int?

    /// Creates an item.
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

    /// The item as an event carries it.
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

/// An element of `items` in GA4's recommended e-commerce events.
///
/// Names and types follow the GA4 reference. `nil` values are left out.
public struct FirebaseItem: Sendable, Equatable {
    /// The item's id in the shop.
    ///
    /// An item with an empty id is left out of the event and counted.
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
    ///   - id: The item's id in the shop.
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

/// A list of items with their value, for GA4's recommended e-commerce events.
///
/// ```swift
/// FirebaseBasket(
///     items: lines.map { $0.product.firebaseItem(quantity: $0.quantity) },
///     currency: currency
/// )
/// ```
public struct FirebaseBasket: Sendable, Equatable {
    /// The items in their order.
    public var items: [FirebaseItem]
    /// The currency of all prices, as an ISO 4217 code of three upper-case letters.
    ///
    /// It is `nil` if the items have prices in different currencies.
    public var currency: String?

    /// Creates a basket.
    ///
    /// - Parameters:
    ///   - items: The items in their order.
    ///   - currency: The currency of all prices, or `nil` if the items have prices in different currencies.
    public init(items: [FirebaseItem], currency: String?) {
        self.items = items
        self.currency = currency
    }

    /// The sum of price × quantity of all items, without shipping and tax.
    public var value: Double {
        FirebaseBasket.rounded(items.reduce(0) { $0 + $1.price * Double($1.quantity) })
    }

    /// Returns an amount of money rounded to four decimal places, which removes errors of binary fractions.
    ///
    /// An amount that is too large for such places is returned as it is.
    ///
    /// - Parameter amount: The amount.
    /// - Returns: The rounded amount.
    public static func rounded(_ amount: Double) -> Double {
        let scaled = amount * 10_000
        return scaled.isFinite ? scaled.rounded() / 10_000 : amount
    }

    /// The parameters `currency`, `value` and `items`.
    ///
    /// If there is no currency, there is no value either.
    public var parameters: EventParameters {
        [.currency(currency), .value(currency == nil ? nil : value), .items(items.map(\.parameters))]
    }
}

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
    /// The item's id in the shop.
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

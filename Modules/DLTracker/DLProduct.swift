public import CoreTracker
import FirebaseTracking

/// A product as Dolap Lite's features show it and its events describe it.
public struct DLProduct: Sendable, Hashable {
    /// How worn a second-hand product is.
    public enum Condition: String, ParameterRepresentable, Hashable, CaseIterable {
        /// Never worn, with its label.
        case new
        /// Worn once or twice.
        case likeNew = "like_new"
        /// Visibly worn.
        case used
    }

    /// The product's id.
    public let id: String
    /// The category's code, from wide to narrow, such as `appliances.environment.water_heater`; `nil` for none.
    public let category: String?
    /// The brand; `nil` for none.
    public let brand: String?
    /// How worn it is; `nil` where the seller has not said so.
    public let condition: Condition?
    /// The price of one piece.
    public let price: Double
    /// The price's currency, three upper-case letters of ISO 4217.
    public let currency: String

    /// Creates a product; an empty category or brand is none.
    public init(
        id: String,
        category: String? = nil,
        brand: String? = nil,
        condition: Condition? = nil,
        price: Double,
        currency: String
    ) {
        self.id = id
        self.category = category == "" ? nil : category
        self.brand = brand == "" ? nil : brand
        self.condition = condition
        self.price = price
        self.currency = currency
    }

    /// The product as AwesomeTracking's events describe it.
    public var awesomeTrackingParameters: EventParameters {
        [
            .itemID(id), .category(category), .brand(brand), .condition(condition), .price(price), .currency(currency),
        ]
    }

    /// The product as the member of `items` at a place of a list, from 0, in Firebase's events.
    public func firebaseItem(at index: Int) -> ParameterValue {
        .object(firebaseItem(quantity: 1, index: index).parameters)
    }

    /// The product as a member of `items` in Firebase's events.
    func firebaseItem(quantity: Int, index: Int? = nil) -> FirebaseItem {
        FirebaseItem(
            id: id,
            brand: brand,
            categories: category?.split(separator: ".").map(String.init) ?? [],
            variant: condition?.rawValue,
            price: price,
            quantity: quantity,
            index: index
        )
    }
}

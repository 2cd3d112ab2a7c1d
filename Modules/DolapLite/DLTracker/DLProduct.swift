public import CoreTracker

/// A product, as Dolap Lite's features show it and its events describe it.
///
/// ```swift
/// let product = DLProduct(id: "7", price: 35.79, currency: "TRY")
/// ```
public struct DLProduct: Sendable, Hashable {
    /// The condition of a second-hand product.
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
    /// The category's code, from wide to narrow, such as `appliances.environment.water_heater`, or `nil` if there is
    /// none.
    public let category: String?
    /// The brand, or `nil` if there is none.
    public let brand: String?
    /// The product's condition, or `nil` if the seller has not specified it.
    public let condition: Condition?
    /// The price of one piece.
    public let price: Double
    /// The currency of the price: three upper-case letters (ISO 4217).
    public let currency: String

    /// Creates a product.
    ///
    /// - Parameters:
    ///   - id: The product's id.
    ///   - category: The category's code, from wide to narrow. An empty string counts as `nil`.
    ///   - brand: The brand. An empty string counts as `nil`.
    ///   - condition: The product's condition.
    ///   - price: The price of one piece.
    ///   - currency: The currency of the price: three upper-case letters (ISO 4217).
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

    /// The parameters of the product for AwesomeTracking events.
    public var awesomeTrackingParameters: EventParameters {
        [
            .itemID(id), .category(category), .brand(brand), .condition(condition), .price(price), .currency(currency),
        ]
    }

    /// Returns the product as an element of `items` in Firebase's list events.
    ///
    /// - Parameter index: The product's position in the list, from 0.
    /// - Returns: The element, with quantity 1.
    public func firebaseItem(at index: Int) -> ParameterValue {
        .object(firebaseItem(quantity: 1, index: index).parameters)
    }

    /// Returns the product as an element of `items` in Firebase's events.
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

extension DLProduct {
    /// A product with all optional fields and one without any, for the examples of tracking plans.
    public static let examples = [
        DLProduct(
            id: "1004856",
            category: "electronics.audio.music_tools.piano.digital",
            brand: "yamaha",
            condition: .likeNew,
            price: 130.76,
            currency: "TRY"
        ),
        DLProduct(id: "1003461", price: 489, currency: "TRY"),
    ]
}

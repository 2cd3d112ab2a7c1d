public import CoreTracker
import FirebaseTracking

/// A product as Trendyol's features show it and its events describe it.
public struct TYProduct: Sendable, Hashable {
    /// The product's id, which Trendyol calls the content id.
    public let id: String
    /// The categories, the widest first; empty for none.
    public let categories: [String]
    /// The brand; `nil` for none.
    public let brand: String?
    /// The merchant that sells it; `nil` where none is chosen yet.
    public let merchantID: String?
    /// The price of one piece before discount; `nil` where there is no discount.
    public let listPrice: Double?
    /// The price of one piece, after discount.
    public let price: Double
    /// The prices' currency, three upper-case letters of ISO 4217.
    public let currency: String

    /// Creates a product from its category's code, such as `appliances.environment.water_heater`.
    ///
    /// An empty category, brand or merchant is none.
    public init(
        id: String,
        category: String? = nil,
        brand: String? = nil,
        merchantID: String? = nil,
        listPrice: Double? = nil,
        price: Double,
        currency: String
    ) {
        self.id = id
        categories = category?.split(separator: ".").map(String.init) ?? []
        self.brand = brand == "" ? nil : brand
        self.merchantID = merchantID == "" ? nil : merchantID
        self.listPrice = listPrice
        self.price = price
        self.currency = currency
    }

    /// The product as AwesomeTracking's events describe it.
    public var awesomeTrackingParameters: EventParameters {
        [
            .contentID(id), .merchantID(merchantID), .brandName(brand),
            .categoryPath(categories.isEmpty ? nil : categories.joined(separator: ">")), .salePrice(price),
            .listPrice(listPrice), .currency(currency),
        ]
    }

    /// The product as a member of `items` in Firebase's events.
    func firebaseItem(quantity: Int) -> FirebaseItem {
        FirebaseItem(
            id: id,
            brand: brand,
            categories: categories,
            affiliation: merchantID,
            price: price,
            discount: listPrice.map { FirebaseBasket.rounded($0 - price) },
            quantity: quantity
        )
    }
}

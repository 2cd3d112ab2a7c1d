public import CoreTracker

/// A product, as Trendyol's features show it and its events describe it.
public struct TYProduct: Sendable, Hashable {
    /// The product's id.
    ///
    /// Trendyol calls it the content id.
    public let id: String
    /// The categories, from wide to narrow.
    ///
    /// The array is empty if there are none.
    public let categories: [String]
    /// The brand, or `nil` if there is none.
    public let brand: String?
    /// The merchant that sells the product, or `nil` if none is selected yet.
    public let merchantID: String?
    /// The price of one piece before discount, or `nil` if there is no discount.
    public let listPrice: Double?
    /// The price of one piece, after discount.
    public let price: Double
    /// The currency of both prices: three upper-case letters (ISO 4217).
    public let currency: String

    /// Creates a product.
    ///
    /// - Parameters:
    ///   - id: The product's id.
    ///   - category: The category's code, from wide to narrow, such as `appliances.environment.water_heater`. An empty
    ///     string counts as `nil`.
    ///   - brand: The brand. An empty string counts as `nil`.
    ///   - merchantID: The merchant that sells the product. An empty string counts as `nil`.
    ///   - listPrice: The price of one piece before discount, or `nil` if there is no discount.
    ///   - price: The price of one piece, after discount.
    ///   - currency: The currency of both prices: three upper-case letters (ISO 4217).
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

    /// The parameters of the product for AwesomeTracking events.
    public var awesomeTrackingParameters: EventParameters {
        [
            .contentID(id), .merchantID(merchantID), .brandName(brand),
            .categoryPath(categories.isEmpty ? nil : categories.joined(separator: ">")), .salePrice(price),
            .listPrice(listPrice), .currency(currency),
        ]
    }

    /// Returns the product as an element of `items` in Firebase's events.
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

extension TYProduct {
    /// A product with all optional fields and one without any, for the examples of tracking plans.
    public static let examples = [
        TYProduct(
            id: "1004856",
            category: "electronics.audio.music_tools.piano.digital",
            brand: "yamaha",
            merchantID: "m-7",
            listPrice: 149.9,
            price: 130.76,
            currency: "TRY"
        ),
        TYProduct(id: "1003461", price: 489, currency: "TRY"),
    ]
}

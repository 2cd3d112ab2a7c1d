public import CoreTracker

/// A list of products and quantities, such as one product or a whole order.
///
/// ```swift
/// let cart = TYCart([TYCart.Line(boiler, quantity: 3)])
/// ```
public struct TYCart: Sendable, Hashable {
    /// A product and its quantity.
    public struct Line: Sendable, Hashable {
        /// The product.
        public let product: TYProduct
        /// The number of pieces, at least 1.
        public let quantity: Int

        /// Creates a line.
        ///
        /// - Parameters:
        ///   - product: The product.
        ///   - quantity: The number of pieces. Values below 1 count as 1.
        public init(_ product: TYProduct, quantity: Int = 1) {
            self.product = product
            self.quantity = max(1, quantity)
        }
    }

    /// The lines, in order.
    public let lines: [Line]

    /// Creates a cart from lines.
    ///
    /// - Parameter lines: The lines, in order.
    public init(_ lines: [Line]) {
        self.lines = lines
    }

    /// Creates a cart of one product.
    ///
    /// - Parameters:
    ///   - product: The product.
    ///   - quantity: The number of pieces. Values below 1 count as 1.
    public init(_ product: TYProduct, quantity: Int = 1) {
        lines = [Line(product, quantity: quantity)]
    }

    /// The currency of all prices, or `nil` if the cart is empty or has several currencies.
    public var currency: String? {
        guard let first = lines.first?.product.currency else { return nil }
        return lines.allSatisfy { $0.product.currency == first } ? first : nil
    }

    /// The parameters of the cart for Firebase's recommended e-commerce events: `currency`, `value` and `items`.
    public var firebaseParameters: EventParameters { firebaseBasket.parameters }

    /// The parameters of the cart for Trendyol's AwesomeTracking events: `cart_total`, `currency` and `contents`.
    ///
    /// If the cart is empty or has several currencies, `cart_total` and `currency` are omitted.
    public var awesomeTrackingParameters: EventParameters {
        let currency = currency
        let contents: [EventParameters] = lines.map { line in
            [
                .contentID(line.product.id), .merchantID(line.product.merchantID), .salePrice(line.product.price),
                .count(line.quantity),
            ]
        }
        return [.cartTotal(currency == nil ? nil : firebaseBasket.value), .currency(currency), .contents(contents)]
    }

    private var firebaseBasket: FirebaseBasket {
        FirebaseBasket(items: lines.map { $0.product.firebaseItem(quantity: $0.quantity) }, currency: currency)
    }
}

extension TYCart {
    /// Carts with one currency and with mixed currencies, for the examples of tracking plans.
    public static let examples = [
        TYCart(TYProduct.examples.map { Line($0, quantity: 2) }),
        TYCart([
            Line(TYProduct(id: "1", price: 10, currency: "TRY")), Line(TYProduct(id: "2", price: 9, currency: "EUR")),
        ]),
    ]
}

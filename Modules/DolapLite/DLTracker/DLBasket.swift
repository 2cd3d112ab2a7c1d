public import CoreTracker

/// A list of products and quantities, such as one product or a whole order.
///
/// ```swift
/// let basket = DLBasket([DLBasket.Line(boiler, quantity: 3)])
/// ```
public struct DLBasket: Sendable, Hashable {
    /// A product and its quantity.
    public struct Line: Sendable, Hashable {
        /// The product.
        public let product: DLProduct
        /// The number of pieces, at least 1.
        public let quantity: Int

        /// Creates a line.
        ///
        /// - Parameters:
        ///   - product: The product.
        ///   - quantity: The number of pieces. Values below 1 count as 1.
        public init(_ product: DLProduct, quantity: Int = 1) {
            self.product = product
            self.quantity = max(1, quantity)
        }
    }

    /// The lines, in order.
    public let lines: [Line]

    /// Creates a basket from lines.
    ///
    /// - Parameter lines: The lines, in order.
    public init(_ lines: [Line]) {
        self.lines = lines
    }

    /// Creates a basket of one product.
    ///
    /// - Parameters:
    ///   - product: The product.
    ///   - quantity: The number of pieces. Values below 1 count as 1.
    public init(_ product: DLProduct, quantity: Int = 1) {
        lines = [Line(product, quantity: quantity)]
    }

    /// The currency of all prices, or `nil` if the basket is empty or has several currencies.
    public var currency: String? {
        guard let first = lines.first?.product.currency else { return nil }
        return lines.allSatisfy { $0.product.currency == first } ? first : nil
    }

    /// The parameters of the basket for Firebase's recommended e-commerce events: `currency`, `value` and `items`.
    public var firebaseParameters: EventParameters { firebaseBasket.parameters }

    /// The parameters of the basket for Dolap Lite's AwesomeTracking events: `total`, `currency` and `items`.
    ///
    /// If the basket is empty or has several currencies, `total` and `currency` are omitted.
    public var awesomeTrackingParameters: EventParameters {
        let currency = currency
        let items: [EventParameters] = lines.map { line in
            [.itemID(line.product.id), .price(line.product.price), .quantity(line.quantity)]
        }
        return [.total(currency == nil ? nil : firebaseBasket.value), .currency(currency), .items(items)]
    }

    private var firebaseBasket: FirebaseBasket {
        FirebaseBasket(
            items: lines.map { $0.product.firebaseItem(quantity: $0.quantity) },
            currency: currency
        )
    }
}

extension DLBasket {
    /// Baskets with one currency and with mixed currencies, for the examples of tracking plans.
    public static let examples = [
        DLBasket(DLProduct.examples.map { Line($0, quantity: 2) }),
        DLBasket([
            Line(DLProduct(id: "1", price: 10, currency: "TRY")), Line(DLProduct(id: "2", price: 9, currency: "AZN")),
        ]),
    ]
}

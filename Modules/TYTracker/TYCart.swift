public import CoreTracker
import FirebaseTracking

/// Products and their quantities: what an event is about, be it one product or a whole order.
public struct TYCart: Sendable, Hashable {
    /// One product and how many pieces of it.
    public struct Line: Sendable, Hashable {
        /// The product.
        public let product: TYProduct
        /// How many pieces, at least 1.
        public let quantity: Int

        /// Creates a line; a quantity below 1 is taken as 1.
        public init(_ product: TYProduct, quantity: Int = 1) {
            self.product = product
            self.quantity = max(1, quantity)
        }
    }

    /// The lines, in order.
    public let lines: [Line]

    /// Creates a cart.
    public init(_ lines: [Line]) {
        self.lines = lines
    }

    /// Creates a cart of one product.
    public init(_ product: TYProduct, quantity: Int = 1) {
        lines = [Line(product, quantity: quantity)]
    }

    /// The currency of all prices; `nil` when they have none in common.
    public var currency: String? {
        guard let first = lines.first?.product.currency else { return nil }
        return lines.allSatisfy { $0.product.currency == first } ? first : nil
    }

    /// The cart as Firebase's recommended e-commerce events carry it: `currency`, `value` and `items`.
    public var firebaseParameters: EventParameters { firebaseBasket.parameters }

    /// The cart as AwesomeTracking's events of Trendyol carry it: `cart_total`, `currency` and `contents`.
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

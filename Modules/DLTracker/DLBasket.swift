public import CoreTracker
import FirebaseTracking

/// Products and their quantities: what an event is about, be it one product or a whole order.
public struct DLBasket: Sendable, Hashable {
    /// One product and how many pieces of it.
    public struct Line: Sendable, Hashable {
        /// The product.
        public let product: DLProduct
        /// How many pieces, at least 1.
        public let quantity: Int

        /// Creates a line; a quantity below 1 is taken as 1.
        public init(_ product: DLProduct, quantity: Int = 1) {
            self.product = product
            self.quantity = max(1, quantity)
        }
    }

    /// The lines, in order.
    public let lines: [Line]

    /// Creates a basket.
    public init(_ lines: [Line]) {
        self.lines = lines
    }

    /// Creates a basket of one product.
    public init(_ product: DLProduct, quantity: Int = 1) {
        lines = [Line(product, quantity: quantity)]
    }

    /// The currency of all prices; `nil` when they have none in common.
    public var currency: String? {
        guard let first = lines.first?.product.currency else { return nil }
        return lines.allSatisfy { $0.product.currency == first } ? first : nil
    }

    /// The basket as Firebase's recommended e-commerce events carry it: `currency`, `value` and `items`.
    public var firebaseParameters: EventParameters { firebaseBasket.parameters }

    /// The basket as AwesomeTracking's events of Dolap Lite carry it: `total`, `currency` and `items`.
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

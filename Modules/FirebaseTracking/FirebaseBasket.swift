public import CoreTracker

/// Several items and what they are worth, as GA4's recommended e-commerce events carry them.
public struct FirebaseBasket: Sendable, Hashable {
    /// The items, in order.
    public var items: [FirebaseItem]
    /// The currency of all prices, three upper-case letters of ISO 4217; `nil` when they have none in common.
    public var currency: String?

    /// Creates a basket.
    public init(items: [FirebaseItem], currency: String?) {
        self.items = items
        self.currency = currency
    }

    /// The sum of price × quantity, without shipping and tax.
    public var value: Double {
        FirebaseBasket.rounded(items.reduce(0) { $0 + $1.price * Double($1.quantity) })
    }

    /// An amount of money without the noise of binary fractions: rounded to a ten-thousandth.
    public static func rounded(_ amount: Double) -> Double {
        (amount * 10_000).rounded() / 10_000
    }

    /// `currency` and `value`, which go together or not at all, and `items`.
    public var parameters: EventParameters {
        [.currency(currency), .value(currency == nil ? nil : value), .items(items.map(\.parameters))]
    }
}

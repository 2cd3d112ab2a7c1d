/// A list of items with their value, for GA4's recommended e-commerce events.
///
/// ```swift
/// FirebaseBasket(
///     items: lines.map { $0.product.firebaseItem(quantity: $0.quantity) },
///     currency: currency
/// )
/// ```
public struct FirebaseBasket: Sendable, Hashable {
    /// The items in their order.
    public var items: [FirebaseItem]
    /// The currency of all prices, as an ISO 4217 code of three upper-case letters, or `nil` if the prices differ in
    /// it.
    public var currency: String?

    /// Creates a basket.
    ///
    /// - Parameters:
    ///   - items: The items in their order.
    ///   - currency: The currency of all prices, or `nil` if the prices differ in it.
    public init(items: [FirebaseItem], currency: String?) {
        self.items = items
        self.currency = currency
    }

    /// The sum of price × quantity of all items, without shipping and tax.
    public var value: Double {
        FirebaseBasket.rounded(items.reduce(0) { $0 + $1.price * Double($1.quantity) })
    }

    /// Returns an amount of money rounded to four decimal places, without the noise of binary fractions.
    ///
    /// - Parameter amount: The amount.
    public static func rounded(_ amount: Double) -> Double {
        (amount * 10_000).rounded() / 10_000
    }

    /// The parameters `currency`, `value` and `items`.
    ///
    /// If there is no currency, there is no value either.
    public var parameters: EventParameters {
        [.currency(currency), .value(currency == nil ? nil : value), .items(items.map(\.parameters))]
    }
}

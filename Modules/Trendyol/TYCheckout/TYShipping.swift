public import CoreTracker

/// A delivery method of Trendyol and its price.
public struct TYShipping: Sendable, Hashable {
    /// A delivery method.
    public enum Kind: String, ParameterRepresentable, Hashable, CaseIterable {
        /// Delivery to the door within days.
        case standard
        /// Delivery to the door on the next day.
        case express
        /// Delivery to a pick-up point.
        case pickUpPoint = "pick_up_point"
    }

    /// The delivery method.
    public let kind: Kind
    /// The price, in the cart's currency.
    public let price: Double

    /// Creates a delivery method with a price.
    ///
    /// - Parameters:
    ///   - kind: The delivery method.
    ///   - price: The price, in the cart's currency.
    public init(_ kind: Kind, price: Double = 0) {
        self.kind = kind
        self.price = price
    }
}

public import CoreTracker

/// How an order of Trendyol travels, and for how much.
public struct TYShipping: Sendable, Hashable {
    /// The ways of travelling.
    public enum Kind: String, ParameterRepresentable, Hashable, CaseIterable {
        /// To the door, within days.
        case standard
        /// To the door, on the next day.
        case express
        /// To a pick-up point.
        case pickUpPoint = "pick_up_point"
    }

    /// The way of travelling.
    public let kind: Kind
    /// What it costs, in the cart's currency.
    public let price: Double

    /// Creates a way of travelling.
    public init(_ kind: Kind, price: Double = 0) {
        self.kind = kind
        self.price = price
    }
}

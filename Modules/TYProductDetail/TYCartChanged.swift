public import CoreTracker
public import TYTracker

/// Pieces of a product went into the cart or out of it.
public struct TYCartChanged: CoreTrackable {
    /// Which way the pieces went.
    public enum Change: String, ParameterRepresentable, Hashable, CaseIterable {
        /// Into the cart.
        case added = "add"
        /// Out of the cart.
        case removed = "remove"
    }

    /// Which way the pieces went.
    public let change: Change
    /// The product.
    public let product: TYProduct
    /// How many pieces, at least 1.
    public let quantity: Int

    /// Creates the event; a quantity below 1 is taken as 1.
    public init(_ change: Change, product: TYProduct, quantity: Int = 1) {
        self.change = change
        self.product = product
        self.quantity = max(1, quantity)
    }

    public var services: [EventService] {
        let name = change == .added ? "add_to_cart" : "remove_from_cart"
        FirebaseEvent(name, TYCart(product, quantity: quantity).firebaseParameters)
        AwesomeTrackingEvent("pdp_cart_change", product.awesomeTrackingParameters, [.action(change), .count(quantity)])
    }
}

extension TYCartChanged: PlannedEvent {
    public static var plan: EventPlan<TYCartChanged> {
        EventPlan(
            "Cart changed",
            owner: .tyProductDetail,
            purpose: "How many views of a product lead to the cart, and which are given up again.",
            introduced: "1.0",
            examples: TYProduct.examples.flatMap { product in
                TYCartChanged.Change.allCases.map { TYCartChanged($0, product: product) }
            }
        )
    }
}

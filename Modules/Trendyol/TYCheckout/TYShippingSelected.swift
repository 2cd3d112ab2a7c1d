public import CoreTracker
public import TYTracker

/// The user selected how the order is delivered.
public struct TYShippingSelected: CoreTrackable {
    /// The products to buy.
    public let cart: TYCart
    /// The selected delivery method and its price.
    public let shipping: TYShipping

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - cart: The products to buy.
    ///   - shipping: The selected delivery method and its price.
    public init(cart: TYCart, shipping: TYShipping) {
        self.cart = cart
        self.shipping = shipping
    }

    public var services: [EventService] {
        FirebaseEvent("add_shipping_info", cart.firebaseParameters, [.shippingTier(shipping.kind)])
        AwesomeTrackingEvent("checkout_shipping_select", [.delivery(shipping.kind), .shippingPrice(shipping.price)])
    }
}

extension TYShippingSelected: PlannedEvent {
    public static var plan: EventPlan<TYShippingSelected> {
        EventPlan(
            "Shipping selected",
            owner: .tyCheckout,
            purpose: "Which ways of travelling are chosen, and what they cost.",
            introduced: "1.0",
            examples: TYShipping.Kind.allCases.flatMap { kind in
                TYCart.examples.map { TYShippingSelected(cart: $0, shipping: TYShipping(kind, price: 29.9)) }
            }
        )
    }
}

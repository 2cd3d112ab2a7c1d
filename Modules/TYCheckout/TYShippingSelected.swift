public import CoreTracker
public import TYTracker

/// The user chose how the order travels.
public struct TYShippingSelected: CoreTrackable {
    /// What is to be bought.
    public let cart: TYCart
    /// How it travels.
    public let shipping: TYShipping

    /// Creates the event.
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

public import CoreTracker
public import TYTracker

/// The checkout appeared with a cart.
public struct TYCheckoutViewed: CoreTrackable {
    /// The products to buy.
    public let cart: TYCart

    /// Creates an event.
    ///
    /// - Parameter cart: The products to buy.
    public init(cart: TYCart) {
        self.cart = cart
    }

    public var services: [EventService] {
        FirebaseEvent("begin_checkout", cart.firebaseParameters)
        AwesomeTrackingEvent("checkout_view", cart.awesomeTrackingParameters)
    }
}

extension TYCheckoutViewed: PlannedEvent {
    public static var plan: EventPlan<TYCheckoutViewed> {
        EventPlan(
            "Checkout viewed",
            owner: .tyCheckout,
            purpose: "How many visitors of the checkout place an order.",
            introduced: "1.0",
            examples: TYCart.examples.map { TYCheckoutViewed(cart: $0) }
        )
    }
}

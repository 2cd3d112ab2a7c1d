public import CoreTracker
public import TYTracker

/// The checkout came up with a cart.
public struct TYCheckoutViewed: CoreTrackable {
    /// What is to be bought.
    public let cart: TYCart

    /// Creates the event.
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

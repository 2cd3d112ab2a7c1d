public import CoreTracker
public import DLTracker

/// The checkout appeared with a basket.
public struct DLCheckoutStarted: CoreTrackable {
    /// The products to buy.
    public let basket: DLBasket

    /// Creates an event.
    ///
    /// - Parameter basket: The products to buy.
    public init(basket: DLBasket) {
        self.basket = basket
    }

    public var services: [EventService] {
        FirebaseEvent("begin_checkout", basket.firebaseParameters)
        AwesomeTrackingEvent("checkout_started", basket.awesomeTrackingParameters)
    }
}

extension DLCheckoutStarted: PlannedEvent {
    public static var plan: EventPlan<DLCheckoutStarted> {
        EventPlan(
            "Checkout started",
            owner: .dlCheckout,
            purpose: "How many visitors of the checkout place an order.",
            introduced: "1.0",
            examples: DLBasket.examples.map { DLCheckoutStarted(basket: $0) }
        )
    }
}

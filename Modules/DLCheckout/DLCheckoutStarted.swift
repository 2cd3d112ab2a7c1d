public import CoreTracker
public import DLTracker

/// The checkout came up with a basket.
public struct DLCheckoutStarted: CoreTrackable {
    /// What is to be bought.
    public let basket: DLBasket

    /// Creates the event.
    public init(basket: DLBasket) {
        self.basket = basket
    }

    public var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "begin_checkout", parameters: basket.firebaseParameters)),
            .awesomeTracking(
                AwesomeTrackingEvent(name: "checkout_started", parameters: basket.awesomeTrackingParameters)
            ),
        ]
    }
}

extension DLCheckoutStarted: PlannedEvent {
    public static var plan: EventPlan<DLCheckoutStarted> {
        EventPlan(
            "Checkout started",
            owner: .dlCheckout,
            purpose: "How many visitors of the checkout place an order.",
            examples: DLBasket.examples.map { DLCheckoutStarted(basket: $0) }
        )
    }
}

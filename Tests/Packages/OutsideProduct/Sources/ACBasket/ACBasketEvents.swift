import CoreTracker

/// The user opened the basket.
struct ACBasketOpened: CoreTrackable {
    /// The number of products in the basket.
    let count: Int

    var services: [EventService] {
        FirebaseEvent("view_cart", [.count(count)])
        AwesomeTrackingEvent("basket_opened", [.count(count)])
    }
}

extension ACBasketOpened: PlannedEvent {
    static var plan: EventPlan<ACBasketOpened> {
        EventPlan(
            "Basket opened",
            owner: .acBasket,
            purpose: "How many users open the basket, and with how many products.",
            introduced: "1.0",
            examples: [ACBasketOpened(count: 2)]
        )
    }
}

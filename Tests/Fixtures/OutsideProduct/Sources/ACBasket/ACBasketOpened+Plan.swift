public import CoreTracker

extension ACBasketOpened: PlannedEvent {
    static let plan = EventPlan(
        "Basket opened",
        owner: "Acme basket",
        purpose: "How many users open the basket, and with how many products.",
        examples: [ACBasketOpened(count: 2)]
    )
}

extension EventCatalog {
    /// The events of Acme's basket.
    public static let acBasket = EventCatalog(
        "ACBasket",
        product: "AC",
        scope: [.screen("basket")],
        events: [ACBasketOpened.self]
    )
}

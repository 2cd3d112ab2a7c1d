public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Acme's basket.
    public static let acBasket = EventCatalog(
        "ACBasket",
        product: "AC",
        defaults: .acBasket,
        events: [
            ACBasketOpened.self
        ]
    )
}

extension EventOwner {
    /// The team that owns the events of this module.
    static let acBasket: EventOwner = "Acme basket"
}

/// The parameter keys of the basket.
extension EventParameter {
    /// The number of products in the basket.
    static let count = Key<Int>("count")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}

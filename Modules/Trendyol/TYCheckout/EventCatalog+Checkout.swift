public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Trendyol's checkout.
    public static let tyCheckout = EventCatalog(
        "TYCheckout",
        product: "TY",
        scope: .checkout,
        events: [
            TYCheckoutViewed.self,
            TYShippingSelected.self,
            TYPurchased.self,
        ]
    )
}

extension EventOwner {
    /// The team that owns the events of this module.
    static let tyCheckout: EventOwner = "Trendyol checkout"
}

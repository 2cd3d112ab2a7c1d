public import CoreTracker

extension EventCatalog {
    /// The events of Trendyol's checkout.
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
    /// Who answers for the events of this module.
    static let tyCheckout: EventOwner = "Trendyol checkout"
}

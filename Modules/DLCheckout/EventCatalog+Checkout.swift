public import CoreTracker

extension EventCatalog {
    /// The events of Dolap Lite's checkout.
    public static let dlCheckout = EventCatalog(
        "DLCheckout",
        product: "DL",
        scope: .checkout,
        events: [
            DLCheckoutStarted.self,
            DLPaymentSelected.self,
            DLOrderPlaced.self,
        ]
    )
}

extension EventOwner {
    /// Who answers for the events of this module.
    static let dlCheckout: EventOwner = "Dolap Lite checkout"
}

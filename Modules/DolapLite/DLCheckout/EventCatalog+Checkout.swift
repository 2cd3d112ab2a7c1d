public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Dolap Lite's checkout.
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
    /// The team that owns the events of this module.
    static let dlCheckout: EventOwner = "Dolap Lite checkout"
}

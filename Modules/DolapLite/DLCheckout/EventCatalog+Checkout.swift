public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Dolap Lite's checkout.
    public static let dlCheckout = EventCatalog(
        "DLCheckout",
        product: "DL",
        defaults: .checkout,
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

/// The parameter keys of the checkout's events.
extension EventParameter {
    /// Firebase: the order's id.
    static let transactionID = Key<String>("transaction_id")
    /// Firebase: the payment method.
    static let paymentType = Key<DLPayment>("payment_type")
    /// AwesomeTracking: the order's id.
    static let orderID = Key<String>("order_id")
    /// AwesomeTracking: the payment method.
    static let payment = Key<DLPayment>("payment")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}

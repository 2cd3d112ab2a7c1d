public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Trendyol's checkout.
    public static let tyCheckout = EventCatalog(
        "TYCheckout",
        product: "TY",
        defaults: .checkout,
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

/// The parameter keys of the checkout's events.
extension EventParameter {
    /// Firebase: the order's id.
    static let transactionID = Key<String>("transaction_id")
    /// Firebase: the delivery method.
    static let shippingTier = Key<TYShipping.Kind>("shipping_tier")
    /// Firebase: the price of shipping.
    static let shipping = Key<Double>("shipping")
    /// Firebase: the coupon's code.
    static let coupon = Key<String>("coupon")
    /// AwesomeTracking: the order's number.
    static let orderNumber = Key<String>("order_number")
    /// AwesomeTracking: the delivery method.
    static let delivery = Key<TYShipping.Kind>("delivery_type")
    /// AwesomeTracking: the price of shipping.
    static let shippingPrice = Key<Double>("shipping_price")
    /// AwesomeTracking: the coupon's code.
    static let couponCode = Key<String>("coupon_code")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}

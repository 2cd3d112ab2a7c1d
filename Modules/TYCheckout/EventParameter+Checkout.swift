import CoreTracker

/// The names that the checkout's events share.
extension EventParameter {
    /// Firebase: the order's id.
    static let transactionID = Key<String>("transaction_id")
    /// Firebase: how the parcel travels.
    static let shippingTier = Key<TYShipping.Kind>("shipping_tier")
    /// Firebase: what shipping costs.
    static let shipping = Key<Double>("shipping")
    /// Firebase: the coupon's code.
    static let coupon = Key<String>("coupon")
    /// AwesomeTracking: the order's number.
    static let orderNumber = Key<String>("order_number")
    /// AwesomeTracking: how the parcel travels.
    static let delivery = Key<TYShipping.Kind>("delivery_type")
    /// AwesomeTracking: what shipping costs.
    static let shippingPrice = Key<Double>("shipping_price")
    /// AwesomeTracking: the coupon's code.
    static let couponCode = Key<String>("coupon_code")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}

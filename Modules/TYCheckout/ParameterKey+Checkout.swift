import CoreTracker

/// The names that the checkout's events share.
extension ParameterKey {
    /// Firebase: the order's id.
    static let transactionID: ParameterKey = "transaction_id"
    /// Firebase: how the parcel travels.
    static let shippingTier: ParameterKey = "shipping_tier"
    /// Firebase: what shipping costs.
    static let shipping: ParameterKey = "shipping"
    /// Firebase: the coupon's code.
    static let coupon: ParameterKey = "coupon"
    /// AwesomeTracking: the order's number.
    static let orderNumber: ParameterKey = "order_number"
    /// AwesomeTracking: how the parcel travels.
    static let delivery: ParameterKey = "delivery_type"
    /// AwesomeTracking: what shipping costs.
    static let shippingPrice: ParameterKey = "shipping_price"
    /// AwesomeTracking: the coupon's code.
    static let couponCode: ParameterKey = "coupon_code"
}

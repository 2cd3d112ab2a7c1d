import CoreTracker

/// The names that the checkout's events share.
extension ParameterKey {
    /// Firebase: the order's id.
    static let transactionID: ParameterKey = "transaction_id"
    /// Firebase: how the user pays.
    static let paymentType: ParameterKey = "payment_type"
    /// AwesomeTracking: the order's id.
    static let orderID: ParameterKey = "order_id"
    /// AwesomeTracking: how the user pays.
    static let payment: ParameterKey = "payment"
}

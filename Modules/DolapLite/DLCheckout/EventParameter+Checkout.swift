import CoreTracker

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

import CoreTracker

/// The names that the checkout's events share.
extension EventParameter {
    /// Firebase: the order's id.
    static let transactionID = Key<String>("transaction_id")
    /// Firebase: how the user pays.
    static let paymentType = Key<DLPayment>("payment_type")
    /// AwesomeTracking: the order's id.
    static let orderID = Key<String>("order_id")
    /// AwesomeTracking: how the user pays.
    static let payment = Key<DLPayment>("payment")
    /// The feature that an event comes from.
    static let feature = Key<String>("feature")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}

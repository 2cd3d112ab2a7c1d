public import DLTracker

/// The screen of the checkout: what its presenter tells it to do.
@MainActor
public protocol DLCheckoutView: AnyObject {
    /// Shows what is to be bought.
    func show(_ basket: DLBasket)
    /// Shows how it is to be paid.
    func showPayment(_ payment: DLPayment)
    /// Shows that the order was placed.
    func showConfirmation(orderID: String)
}

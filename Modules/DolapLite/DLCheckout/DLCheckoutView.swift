public import DLTracker

/// A view that shows the checkout.
@MainActor
public protocol DLCheckoutView: AnyObject {
    /// Shows the products to buy.
    func show(_ basket: DLBasket)
    /// Shows the selected payment method.
    func showPayment(_ payment: DLPayment)
    /// Shows that the order was placed.
    func showConfirmation(orderID: String)
}

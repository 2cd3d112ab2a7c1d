public import TYTracker

/// A view that shows the checkout.
@MainActor
public protocol TYCheckoutView: AnyObject {
    /// Shows the products to buy.
    func show(_ cart: TYCart)
    /// Shows the selected delivery method and its price.
    func showShipping(_ shipping: TYShipping)
    /// Shows that the order was placed.
    func showConfirmation(orderNumber: String)
}

public import TYTracker

/// The screen of the checkout: what its presenter tells it to do.
@MainActor
public protocol TYCheckoutView: AnyObject {
    /// Shows what is to be bought.
    func show(_ cart: TYCart)
    /// Shows how it travels.
    func showShipping(_ shipping: TYShipping)
    /// Shows that the order was placed.
    func showConfirmation(orderNumber: String)
}

public import CoreTracker
public import TYTracker

/// Drives the screen of the checkout, and tracks its life.
///
/// It lives on the main actor as its view does; a call from there is synchronous, costs no hop and tracks one event.
@MainActor
public final class TYCheckoutPresenter {
    /// The screen; the presenter does not keep it alive.
    public weak var view: (any TYCheckoutView)?
    private let cart: TYCart
    private let coupon: String?
    private let tracker: any CoreTracker
    private var shipping: TYShipping?
    private var placedOrderNumber: String?

    /// Creates a presenter of what is to be bought, with the coupon that the user has entered in the cart.
    public init(cart: TYCart, coupon: String? = nil, tracker: any CoreTracker = TYCheckoutTracker()) {
        self.cart = cart
        self.coupon = coupon
        self.tracker = tracker
    }

    /// Shows the cart, each time that the screen comes up.
    public func appear() {
        view?.show(cart)
        tracker.track(TYCheckoutViewed(cart: cart))
    }

    /// Chooses how the order travels.
    public func select(_ shipping: TYShipping) {
        self.shipping = shipping
        tracker.track(TYShippingSelected(cart: cart, shipping: shipping))
        view?.showShipping(shipping)
    }

    /// Confirms an order that the shop has taken; the same order again, as after a double tap, is not tracked twice.
    public func purchase(orderNumber: String) {
        guard orderNumber != placedOrderNumber else { return }
        placedOrderNumber = orderNumber
        tracker.track(TYPurchased(orderNumber: orderNumber, cart: cart, shipping: shipping, coupon: coupon))
        view?.showConfirmation(orderNumber: orderNumber)
    }
}

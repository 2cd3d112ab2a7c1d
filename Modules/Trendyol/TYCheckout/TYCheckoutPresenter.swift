public import CoreTracker
public import TYTracker

/// The presenter of the checkout.
///
/// ```swift
/// presenter.appear()
/// presenter.select(express)
/// presenter.purchase(orderNumber: "1001")
/// ```
///
/// It runs on the main actor, like its view. Each action of the user synchronously tracks one event, without an actor
/// hop.
@MainActor
public final class TYCheckoutPresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any TYCheckoutView)?
    private let cart: TYCart
    private let coupon: String?
    private let tracker: any CoreTracker
    private var shipping: TYShipping?
    private var placedOrderNumber: String?

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - cart: The products to buy.
    ///   - coupon: The code of the coupon entered in the cart, or `nil` if there is none.
    ///   - tracker: The tracker that receives the events.
    public init(cart: TYCart, coupon: String? = nil, tracker: any CoreTracker = TYCheckoutTracker()) {
        self.cart = cart
        self.coupon = coupon
        self.tracker = tracker
    }

    /// Shows the cart; call it whenever the screen appears.
    public func appear() {
        view?.show(cart)
        tracker.track(.checkoutViewed(cart))
    }

    /// Selects how the order is delivered.
    ///
    /// - Parameter shipping: The selected delivery method and its price.
    public func select(_ shipping: TYShipping) {
        self.shipping = shipping
        tracker.track(.shippingSelected(shipping, for: cart))
        view?.showShipping(shipping)
    }

    /// Confirms an order accepted by the shop.
    ///
    /// If the order is confirmed twice, for example after a double tap, it is tracked once.
    ///
    /// - Parameter orderNumber: The order's number.
    public func purchase(orderNumber: String) {
        guard orderNumber != placedOrderNumber else { return }
        placedOrderNumber = orderNumber
        tracker.track(.purchased(cart, orderNumber: orderNumber, shipping: shipping, coupon: coupon))
        view?.showConfirmation(orderNumber: orderNumber)
    }
}

/// A view that shows the checkout.
@MainActor
public protocol TYCheckoutView: AnyObject {
    /// Shows the products to buy.
    ///
    /// - Parameter cart: The products with their quantities.
    func show(_ cart: TYCart)
    /// Shows the selected delivery method and its price.
    ///
    /// - Parameter shipping: The delivery method and its price.
    func showShipping(_ shipping: TYShipping)
    /// Shows the confirmation of the order.
    ///
    /// - Parameter orderNumber: The order's number.
    func showConfirmation(orderNumber: String)
}

public import CoreTracker
public import DLTracker

/// Drives the screen of the checkout, and tracks its life.
///
/// It lives on the main actor as its view does; a call from there is synchronous, costs no hop and tracks one event.
@MainActor
public final class DLCheckoutPresenter {
    /// The screen; the presenter does not keep it alive.
    public weak var view: (any DLCheckoutView)?
    private let basket: DLBasket
    private let tracker: any CoreTracker
    private var placedOrderID: String?

    /// Creates a presenter of what is to be bought.
    public init(basket: DLBasket, tracker: any CoreTracker = DLCheckoutTracker()) {
        self.basket = basket
        self.tracker = tracker
    }

    /// Shows the basket, each time that the screen comes up.
    public func appear() {
        view?.show(basket)
        tracker.track(DLCheckoutStarted(basket: basket))
    }

    /// Chooses how to pay.
    public func select(_ payment: DLPayment) {
        tracker.track(DLPaymentSelected(basket: basket, payment: payment))
        view?.showPayment(payment)
    }

    /// Confirms an order that the shop has taken; the same order again, as after a double tap, is not tracked twice.
    public func purchase(orderID: String) {
        guard orderID != placedOrderID else { return }
        placedOrderID = orderID
        tracker.track(DLOrderPlaced(orderID: orderID, basket: basket))
        view?.showConfirmation(orderID: orderID)
    }
}

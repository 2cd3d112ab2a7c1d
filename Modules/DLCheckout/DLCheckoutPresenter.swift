public import Analytics
public import CoreTracker
public import DLTracker

/// Drives the screen of the checkout, and tracks its life.
///
/// It lives on the main actor as its view does; a call from there is synchronous, costs no hop, tracks one event and
/// sends one step.
@MainActor
public final class DLCheckoutPresenter {
    /// The screen; the presenter does not keep it alive.
    public weak var view: (any DLCheckoutView)?
    private let basket: DLBasket
    private let tracker: any CoreTracker
    private let analytics: any AnalyticsService
    private var placedOrderID: String?

    /// Creates a presenter of what is to be bought.
    public init(
        basket: DLBasket,
        tracker: any CoreTracker = DLCheckoutTracker(),
        analytics: any AnalyticsService = DLAnalyticsService()
    ) {
        self.basket = basket
        self.tracker = tracker
        self.analytics = analytics
    }

    /// Shows the basket, each time that the screen comes up.
    public func appear() {
        view?.show(basket)
        tracker.track(DLCheckoutStarted(basket: basket))
        analytics.send(event: .checkoutOpened(basket))
    }

    /// Chooses how to pay.
    public func select(_ payment: DLPayment) {
        tracker.track(DLPaymentSelected(basket: basket, payment: payment))
        analytics.send(event: .paymentChosen(payment))
        view?.showPayment(payment)
    }

    /// Confirms an order that the shop has taken; the same order again, as after a double tap, is not tracked twice.
    public func purchase(orderID: String) {
        guard orderID != placedOrderID else { return }
        placedOrderID = orderID
        tracker.track(DLOrderPlaced(orderID: orderID, basket: basket))
        analytics.send(event: .orderPlaced(basket))
        view?.showConfirmation(orderID: orderID)
    }
}

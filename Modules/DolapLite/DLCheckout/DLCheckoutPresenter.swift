public import Analytics
public import CoreTracker
public import DLTracker

/// The presenter of the checkout.
///
/// It runs on the main actor, like its view. Each action of the user synchronously tracks one event and sends one
/// analytics step, without an actor hop.
@MainActor
public final class DLCheckoutPresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any DLCheckoutView)?
    private let basket: DLBasket
    private let tracker: any CoreTracker
    private let analytics: any AnalyticsService
    private var placedOrderID: String?

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - basket: The products to buy.
    ///   - tracker: The tracker that receives the events.
    ///   - analytics: The service that receives the analytics steps.
    public init(
        basket: DLBasket,
        tracker: any CoreTracker = DLCheckoutTracker(),
        analytics: any AnalyticsService = DLAnalyticsService()
    ) {
        self.basket = basket
        self.tracker = tracker
        self.analytics = analytics
    }

    /// Shows the basket; call it whenever the screen appears.
    public func appear() {
        view?.show(basket)
        tracker.track(DLCheckoutStarted(basket: basket))
        analytics.send(event: .checkoutOpened(basket))
    }

    /// Selects a payment method.
    ///
    /// - Parameter payment: The selected method.
    public func select(_ payment: DLPayment) {
        tracker.track(DLPaymentSelected(basket: basket, payment: payment))
        analytics.send(event: .paymentChosen(payment))
        view?.showPayment(payment)
    }

    /// Confirms an order accepted by the shop.
    ///
    /// If the order is confirmed twice, for example after a double tap, it is tracked once.
    ///
    /// - Parameter orderID: The order's id.
    public func purchase(orderID: String) {
        guard orderID != placedOrderID else { return }
        placedOrderID = orderID
        tracker.track(DLOrderPlaced(orderID: orderID, basket: basket))
        analytics.send(event: .orderPlaced(basket))
        view?.showConfirmation(orderID: orderID)
    }
}

/// A view that shows the checkout.
@MainActor
public protocol DLCheckoutView: AnyObject {
    /// Shows the products to buy.
    ///
    /// - Parameter basket: The products with their quantities.
    func show(_ basket: DLBasket)
    /// Shows the selected payment method.
    ///
    /// - Parameter payment: The payment method.
    func showPayment(_ payment: DLPayment)
    /// Shows the confirmation of the order.
    ///
    /// - Parameter orderID: The order's id.
    func showConfirmation(orderID: String)
}

import Analytics
import CoreTracker
import CoreTrackerTesting
import DLCheckout
import DLTracker
import Testing

@MainActor
@Suite struct DLCheckoutPresenterTests {
    private let basket = DLBasket(DLProduct(id: "7", price: 35.79, currency: "TRY"), quantity: 2)
    private let tracker = MockTracker()
    private let view = RecordingCheckoutView()

    @Test func `a checkout from start to order is tracked in order`() {
        let presenter = makePresenter()

        presenter.appear()
        presenter.select(.card)
        presenter.select(.wallet)
        presenter.purchase(orderID: "o-1")

        tracker.expect([
            DLCheckoutStarted(basket: basket),
            DLPaymentSelected(basket: basket, payment: .card),
            DLPaymentSelected(basket: basket, payment: .wallet),
            DLOrderPlaced(orderID: "o-1", basket: basket),
        ])
        #expect(view.calls == ["show 1", "payment card", "payment wallet", "confirmed o-1"])
    }

    @Test func `a purchase tracks the order and its basket`() {
        let basket = DLBasket(DLProduct(id: "7", price: 35.79, currency: "TRY"))
        let tracker = MockTracker()
        let presenter = DLCheckoutPresenter(basket: basket, tracker: tracker, analytics: tracker)

        presenter.purchase(orderID: "o-1")

        tracker.expect([DLOrderPlaced(orderID: "o-1", basket: basket)])
    }

    @Test func `an order that is confirmed twice is tracked once`() {
        let presenter = makePresenter()

        presenter.purchase(orderID: "o-1")
        presenter.purchase(orderID: "o-1")

        tracker.expect([DLOrderPlaced(orderID: "o-1", basket: basket)])
        tracker.expect(steps: [.orderPlaced(basket)])
        #expect(view.calls == ["confirmed o-1"])
    }

    @Test func `a checkout from basket to order has three steps`() {
        let presenter = makePresenter()

        presenter.appear()
        presenter.select(.wallet)
        presenter.purchase(orderID: "o-1")

        tracker.expect(steps: [.checkoutOpened(basket), .paymentChosen(.wallet), .orderPlaced(basket)])
        #expect(tracker.steps.last == Journey.Event(name: "orderPlaced", properties: ["itemCount": 1]))
    }

    private func makePresenter() -> DLCheckoutPresenter {
        let presenter = DLCheckoutPresenter(basket: basket, tracker: tracker, analytics: tracker)
        presenter.view = view
        return presenter
    }
}

/// A view that records its calls.
final class RecordingCheckoutView: DLCheckoutView {
    private(set) var calls: [String] = []

    func show(_ basket: DLBasket) {
        calls.append("show \(basket.lines.count)")
    }

    func showPayment(_ payment: DLPayment) {
        calls.append("payment \(payment)")
    }

    func showConfirmation(orderID: String) {
        calls.append("confirmed \(orderID)")
    }
}

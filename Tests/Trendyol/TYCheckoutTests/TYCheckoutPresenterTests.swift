import CoreTrackerTesting
import TYCheckout
import TYTracker
import Testing

@MainActor
@Suite struct TYCheckoutPresenterTests {
    private let cart = TYCart(TYProduct(id: "7", price: 35.79, currency: "TRY"), quantity: 2)
    private let tracker = MockTracker()
    private let view = RecordingCheckoutView()

    @Test func `a checkout from start to purchase is tracked in order`() {
        let presenter = makePresenter(coupon: "WELCOME")
        let express = TYShipping(.express, price: 9.9)

        presenter.appear()
        presenter.select(express)
        presenter.purchase(orderNumber: "1001")

        tracker.expect([
            TYCheckoutViewed(cart: cart),
            TYShippingSelected(cart: cart, shipping: express),
            TYPurchased(orderNumber: "1001", cart: cart, shipping: express, coupon: "WELCOME"),
        ])
        #expect(view.calls == ["show 1", "shipping express", "confirmed 1001"])
    }

    @Test func `a purchase tracks the order and its cart`() {
        let cart = TYCart(TYProduct(id: "7", price: 35.79, currency: "TRY"))
        let tracker = MockTracker()
        let presenter = TYCheckoutPresenter(cart: cart, tracker: tracker)

        presenter.purchase(orderNumber: "1001")

        tracker.expect([TYPurchased(orderNumber: "1001", cart: cart)])
    }

    @Test func `an order that is confirmed twice is tracked once`() {
        let presenter = makePresenter()

        presenter.purchase(orderNumber: "1001")
        presenter.purchase(orderNumber: "1001")

        tracker.expect([TYPurchased(orderNumber: "1001", cart: cart)])
        #expect(view.calls == ["confirmed 1001"])
    }

    private func makePresenter(coupon: String? = nil) -> TYCheckoutPresenter {
        let presenter = TYCheckoutPresenter(cart: cart, coupon: coupon, tracker: tracker)
        presenter.view = view
        return presenter
    }
}

/// A view that records its calls.
final class RecordingCheckoutView: TYCheckoutView {
    private(set) var calls: [String] = []

    func show(_ cart: TYCart) {
        calls.append("show \(cart.lines.count)")
    }

    func showShipping(_ shipping: TYShipping) {
        calls.append("shipping \(shipping.kind)")
    }

    func showConfirmation(orderNumber: String) {
        calls.append("confirmed \(orderNumber)")
    }
}

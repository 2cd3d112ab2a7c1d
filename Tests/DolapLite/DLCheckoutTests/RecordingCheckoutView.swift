import DLCheckout
import DLTracker

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

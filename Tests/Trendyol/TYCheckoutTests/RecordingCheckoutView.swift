import TYCheckout
import TYTracker

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

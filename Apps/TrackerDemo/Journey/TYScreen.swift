import TYCheckout
import TYProductDetail
import TYTracker

/// All screens of Trendyol.
///
/// They record the calls of their presenters.
@MainActor
final class TYScreen: TYProductDetailView, TYCheckoutView {
    /// The recorded calls.
    private(set) var log = ScreenLog(product: .trendyol)

    func show(_ product: TYProduct) { record("product \(product.id)") }

    func showAdded(_ quantity: Int) { record("\(quantity) into the cart") }

    func showRemoved(_ quantity: Int) { record("\(quantity) out of it") }

    func openReviews() { record("reviews") }

    func show(_ cart: TYCart) { record("checkout") }

    func showShipping(_ shipping: TYShipping) { record("\(shipping.kind.rawValue) shipping") }

    func showConfirmation(orderNumber: String) { record("order \(orderNumber)") }

    private func record(_ scene: String) { log.scenes.append(scene) }
}

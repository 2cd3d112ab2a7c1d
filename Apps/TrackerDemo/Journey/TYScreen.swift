import TYCheckout
import TYProductDetail
import TYTracker

/// All screens of Trendyol.
///
/// They record the calls of their presenters.
@MainActor
final class TYScreen: TYProductDetailView, TYCheckoutView {
    /// The recorded calls.
    private(set) var storyline = Storyline(product: .trendyol)

    func show(_ product: TYProduct) { note("product \(product.id)") }

    func showAdded(_ quantity: Int) { note("\(quantity) into the cart") }

    func showRemoved(_ quantity: Int) { note("\(quantity) out of it") }

    func openReviews() { note("reviews") }

    func show(_ cart: TYCart) { note("checkout") }

    func showShipping(_ shipping: TYShipping) { note("\(shipping.kind.rawValue) shipping") }

    func showConfirmation(orderNumber: String) { note("order \(orderNumber)") }

    private func note(_ scene: String) { storyline.scenes.append(scene) }
}

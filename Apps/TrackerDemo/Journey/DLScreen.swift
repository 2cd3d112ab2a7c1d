import DLCheckout
import DLListing
import DLProductDetail
import DLTracker

/// All screens of Dolap Lite.
///
/// They record the calls of their presenters.
@MainActor
final class DLScreen: DLListingView, DLProductDetailView, DLCheckoutView {
    /// The recorded calls.
    private(set) var storyline = Storyline(product: .dolapLite)
    /// The product whose screen was opened last.
    private(set) var opened: DLProduct?

    func show(_ products: [DLProduct]) { note("list of \(products.count)") }

    func open(_ product: DLProduct) {
        opened = product
        note("tap")
    }

    func show(_ product: DLProduct) { note("product \(product.id)") }

    func showAdded(_ quantity: Int) { note("\(quantity) into the basket") }

    func showRemoved(_ quantity: Int) { note("\(quantity) out of it") }

    func showLiked() { note("liked") }

    func show(_ basket: DLBasket) { note("checkout") }

    func showPayment(_ payment: DLPayment) { note("pays by \(payment.rawValue)") }

    func showConfirmation(orderID: String) { note("order \(orderID)") }

    private func note(_ scene: String) { storyline.scenes.append(scene) }
}

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
    private(set) var log = ScreenLog(product: .dolapLite)
    /// The product whose screen was opened last.
    private(set) var opened: DLProduct?

    func show(_ products: [DLProduct]) { record("list of \(products.count)") }

    func open(_ product: DLProduct) {
        opened = product
        record("tap")
    }

    func show(_ product: DLProduct) { record("product \(product.id)") }

    func showAdded(_ quantity: Int) { record("\(quantity) into the basket") }

    func showRemoved(_ quantity: Int) { record("\(quantity) out of it") }

    func showLiked() { record("liked") }

    func show(_ basket: DLBasket) { record("checkout") }

    func showPayment(_ payment: DLPayment) { record("pays by \(payment.rawValue)") }

    func showConfirmation(orderID: String) { record("order \(orderID)") }

    private func record(_ scene: String) { log.scenes.append(scene) }
}

#if os(iOS)
import AppTracking
import DLProductDetail
import DLTracker
import SwiftUI

/// A screen of one product, whose presenter tracks the actions of the user.
struct ProductScreen: View {
    @StateObject private var state = ProductState()
    let presenter: DLProductDetailPresenter

    var body: some View {
        VStack {
            Text(state.text)
            Button("Add to basket") { presenter.addToBasket() }
        }
        .onScreen {
            presenter.view = state
            presenter.appear()
        }
        .tracks(screen: ScreenViewed("product"))
    }
}

/// The state that the presenter changes and SwiftUI observes.
private final class ProductState: ObservableObject, DLProductDetailView {
    @Published var text = ""

    func show(_ product: DLProduct) { text = "\(product.price) \(product.currency)" }
    func showAdded(_ quantity: Int) { text = "in your basket: \(quantity)" }
    func showRemoved(_ quantity: Int) { text = "removed: \(quantity)" }
    func showLiked() { text = "liked" }
}
#endif

import CoreTrackerTesting
import TYProductDetail
import TYTracker
import Testing

@MainActor
@Suite struct TYProductDetailPresenterTests {
    private let product = TYProduct(id: "7", brand: "aqua", price: 35.79, currency: "TRY")
    private let tracker = MockTracker()
    private let view = RecordingProductDetailView()

    @Test func `a product detail that appears shows the product and tracks that its content was viewed`() {
        let presenter = makePresenter()

        presenter.appear()

        tracker.expect([TYContentViewed(product: product)])
        #expect(view.calls == ["show 7"])
    }

    @Test func `adding to the cart tracks the pieces that were added`() {
        let presenter = makePresenter()

        presenter.addToBasket(quantity: 3)

        tracker.expect([TYCartChanged(.added, product: product, quantity: 3)])
        #expect(view.calls == ["added 3"])
    }

    @Test func `three pieces in the cart are tracked as one event`() {
        let product = TYProduct(id: "7", price: 35.79, currency: "TRY")
        let tracker = MockTracker()
        let presenter = TYProductDetailPresenter(product: product, tracker: tracker)

        presenter.addToBasket(quantity: 3)

        tracker.expect([TYCartChanged(.added, product: product, quantity: 3)])
    }

    @Test func `removing from the cart tracks the pieces that were removed`() {
        let presenter = makePresenter()

        presenter.removeFromBasket()

        tracker.expect([TYCartChanged(.removed, product: product)])
        #expect(view.calls == ["removed 1"])
    }

    @Test func `all actions are tracked in order`() {
        let presenter = makePresenter()

        presenter.appear()
        presenter.tapReviews()
        presenter.addToBasket()
        presenter.removeFromBasket()

        tracker.expect([
            TYContentViewed(product: product),
            TYReviewsOpened(product: product),
            TYCartChanged(.added, product: product),
            TYCartChanged(.removed, product: product),
        ])
    }

    @Test func `a tap on the reviews opens them and tracks it`() {
        let presenter = makePresenter()

        presenter.tapReviews()

        tracker.expect([TYReviewsOpened(product: product)])
        #expect(view.calls == ["reviews"])
    }

    @Test func `a presenter without a tracker uses the product's default, which sends nothing here`() {
        let presenter = TYProductDetailPresenter(product: product)
        presenter.view = view

        presenter.appear()

        #expect(view.calls == ["show 7"])
    }

    private func makePresenter() -> TYProductDetailPresenter {
        let presenter = TYProductDetailPresenter(product: product, tracker: tracker)
        presenter.view = view
        return presenter
    }
}

/// A view that records its calls.
final class RecordingProductDetailView: TYProductDetailView {
    private(set) var calls: [String] = []

    func show(_ product: TYProduct) {
        calls.append("show \(product.id)")
    }

    func showAdded(_ quantity: Int) {
        calls.append("added \(quantity)")
    }

    func showRemoved(_ quantity: Int) {
        calls.append("removed \(quantity)")
    }

    func openReviews() {
        calls.append("reviews")
    }
}

import CoreTrackerTesting
import DLProductDetail
import DLTracker
import Testing

@MainActor
@Test func `a product that appears is tracked as viewed`() {
    let product = DLProduct(id: "7", price: 35.79, currency: "TRY")
    let tracker = MockTracker()
    let presenter = DLProductDetailPresenter(product: product, tracker: tracker)

    presenter.appear()

    tracker.expect([DLProductViewed(product: product)])
}

@MainActor
@Suite struct DLProductDetailPresenterTests {
    private let product = DLProduct(id: "7", brand: "aqua", price: 35.79, currency: "TRY")
    private let tracker = MockTracker()
    private let view = RecordingProductDetailView()

    @Test func `a product detail that appears shows the product and tracks that it was viewed`() {
        let presenter = makePresenter()

        presenter.appear()

        tracker.expect([DLProductViewed(product: product)])
        #expect(view.calls == ["show 7"])
    }

    @Test func `adding to the basket tracks the pieces that were added`() {
        let presenter = makePresenter()

        presenter.addToBasket(quantity: 2)

        tracker.expect([DLProductAddedToBasket(product: product, quantity: 2)])
        #expect(view.calls == ["added 2"])
    }

    @Test func `two pieces in the basket are tracked as one event`() {
        let product = DLProduct(id: "7", price: 35.79, currency: "TRY")
        let tracker = MockTracker()
        let presenter = DLProductDetailPresenter(product: product, tracker: tracker)

        presenter.addToBasket(quantity: 2)

        tracker.expect([DLProductAddedToBasket(product: product, quantity: 2)])
    }

    @Test func `removing from the basket tracks the pieces that were removed`() {
        let presenter = makePresenter()

        presenter.removeFromBasket()

        tracker.expect([DLProductRemovedFromBasket(product: product, quantity: 1)])
        #expect(view.calls == ["removed 1"])
    }

    @Test func `liking a product tracks it`() {
        let presenter = makePresenter()

        presenter.like()

        tracker.expect([DLProductLiked(product: product)])
        #expect(view.calls == ["liked"])
    }

    @Test func `all actions are tracked in order, even if the view was released`() {
        let presenter = DLProductDetailPresenter(product: product, tracker: tracker)

        presenter.appear()
        presenter.like()
        presenter.addToBasket()
        presenter.removeFromBasket()

        tracker.expect([
            DLProductViewed(product: product),
            DLProductLiked(product: product),
            DLProductAddedToBasket(product: product),
            DLProductRemovedFromBasket(product: product),
        ])
    }

    @Test func `a presenter without a tracker uses the product's default, which sends nothing here`() {
        let presenter = DLProductDetailPresenter(product: product)
        presenter.view = view

        presenter.appear()

        #expect(view.calls == ["show 7"])
    }

    @Test func `a presenter needs nothing but a mock tracker, as the page of CoreTrackerTesting shows`() {
        let product = DLProduct(id: "7", price: 35.79, currency: "TRY")
        let tracker = MockTracker()
        let presenter = DLProductDetailPresenter(product: product, tracker: tracker)

        presenter.appear()
        presenter.addToBasket()

        tracker.expect([DLProductViewed(product: product), DLProductAddedToBasket(product: product)])
    }

    private func makePresenter() -> DLProductDetailPresenter {
        let presenter = DLProductDetailPresenter(product: product, tracker: tracker)
        presenter.view = view
        return presenter
    }
}

/// A view that records its calls.
final class RecordingProductDetailView: DLProductDetailView {
    private(set) var calls: [String] = []

    func show(_ product: DLProduct) {
        calls.append("show \(product.id)")
    }

    func showAdded(_ quantity: Int) {
        calls.append("added \(quantity)")
    }

    func showRemoved(_ quantity: Int) {
        calls.append("removed \(quantity)")
    }

    func showLiked() {
        calls.append("liked")
    }
}

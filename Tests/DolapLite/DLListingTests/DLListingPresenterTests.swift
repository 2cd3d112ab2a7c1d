import Analytics
import CoreTrackerTesting
import DLListing
import DLTracker
import Testing

@MainActor
@Suite struct DLListingPresenterTests {
    private let products = [
        DLProduct(id: "7", price: 35.79, currency: "TRY"), DLProduct(id: "8", price: 12, currency: "TRY"),
    ]
    private let tracker = MockTracker()
    private let view = RecordingListingView()

    @Test func `a listing that appears shows its products and tracks that it was viewed`() {
        let presenter = makePresenter()

        presenter.appear()

        tracker.expect([DLListingViewed(listID: "shoes", products: products)])
        #expect(view.shown == [products])
    }

    @Test func `a tap on the second product tracks its selection and opens it`() {
        let presenter = makePresenter()

        presenter.tapProduct(at: 1)

        tracker.expect([DLListingItemSelected(listID: "shoes", product: products[1], index: 1)])
        #expect(view.opened == [products[1]])
    }

    @Test func `a tap tracks the product and its place in the list`() {
        let products = [
            DLProduct(id: "7", price: 35.79, currency: "TRY"), DLProduct(id: "8", price: 12, currency: "TRY"),
        ]
        let tracker = MockTracker()
        let presenter = DLListingPresenter(listID: "shoes", products: products, tracker: tracker, analytics: tracker)

        presenter.tapProduct(at: 1)

        tracker.expect([DLListingItemSelected(listID: "shoes", product: products[1], index: 1)])
    }

    @Test(arguments: [-1, 2])
    func `a tap outside the products is not tracked`(index: Int) {
        let presenter = makePresenter()

        presenter.tapProduct(at: index)

        tracker.expectNothing()
        #expect(view.opened.isEmpty)
    }

    @Test func `all actions are tracked in order`() {
        let presenter = makePresenter()

        presenter.appear()
        presenter.tapProduct(at: 0)
        presenter.appear()

        tracker.expect([
            DLListingViewed(listID: "shoes", products: products),
            DLListingItemSelected(listID: "shoes", product: products[0], index: 0),
            DLListingViewed(listID: "shoes", products: products),
        ])
    }

    @Test func `opening a product of the list has two steps`() {
        let products = [
            DLProduct(id: "7", price: 35.79, currency: "TRY"), DLProduct(id: "8", price: 12, currency: "TRY"),
        ]
        let tracker = MockTracker()
        let presenter = DLListingPresenter(listID: "shoes", products: products, tracker: tracker, analytics: tracker)

        presenter.appear()
        presenter.tapProduct(at: 1)
        presenter.tapProduct(at: 2)

        tracker.expect(steps: [.listOpened("shoes", products: 2), .productOpened(products[1])])
        #expect(tracker.steps.map(\.name) == ["listOpened", "productOpened"])
    }

    private func makePresenter() -> DLListingPresenter {
        let presenter = DLListingPresenter(listID: "shoes", products: products, tracker: tracker, analytics: tracker)
        presenter.view = view
        return presenter
    }
}

/// A view that records its calls.
final class RecordingListingView: DLListingView {
    private(set) var shown: [[DLProduct]] = []
    private(set) var opened: [DLProduct] = []

    func show(_ products: [DLProduct]) {
        shown.append(products)
    }

    func open(_ product: DLProduct) {
        opened.append(product)
    }
}

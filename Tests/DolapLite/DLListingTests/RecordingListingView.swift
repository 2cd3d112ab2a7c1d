import DLListing
import DLTracker

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

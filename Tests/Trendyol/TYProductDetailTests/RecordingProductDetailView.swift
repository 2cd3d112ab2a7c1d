import TYProductDetail
import TYTracker

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

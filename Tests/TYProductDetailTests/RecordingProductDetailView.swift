import TYProductDetail
import TYTracker

/// A screen that keeps what it was told.
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

import DLProductDetail
import DLTracker

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

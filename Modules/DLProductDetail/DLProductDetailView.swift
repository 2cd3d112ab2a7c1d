public import DLTracker

/// The screen of one product: what its presenter tells it to do.
@MainActor
public protocol DLProductDetailView: AnyObject {
    /// Shows the product.
    func show(_ product: DLProduct)
    /// Shows that so many pieces went into the basket.
    func showAdded(_ quantity: Int)
    /// Shows that so many pieces left the basket.
    func showRemoved(_ quantity: Int)
    /// Shows that the user likes the product.
    func showLiked()
}

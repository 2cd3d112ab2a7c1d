public import DLTracker

/// A view that shows one product.
@MainActor
public protocol DLProductDetailView: AnyObject {
    /// Shows the product.
    func show(_ product: DLProduct)
    /// Shows the number of pieces that were added to the basket.
    func showAdded(_ quantity: Int)
    /// Shows the number of pieces that were removed from the basket.
    func showRemoved(_ quantity: Int)
    /// Shows the product as liked.
    func showLiked()
}

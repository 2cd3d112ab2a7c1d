public import TYTracker

/// A view that shows one product.
@MainActor
public protocol TYProductDetailView: AnyObject {
    /// Shows the product.
    func show(_ product: TYProduct)
    /// Shows the number of pieces that were added to the cart.
    func showAdded(_ quantity: Int)
    /// Shows the number of pieces that were removed from the cart.
    func showRemoved(_ quantity: Int)
    /// Opens the product's reviews.
    func openReviews()
}

public import TYTracker

/// The screen of one product: what its presenter tells it to do.
@MainActor
public protocol TYProductDetailView: AnyObject {
    /// Shows the product.
    func show(_ product: TYProduct)
    /// Shows that so many pieces went into the cart.
    func showAdded(_ quantity: Int)
    /// Shows that so many pieces left the cart.
    func showRemoved(_ quantity: Int)
    /// Goes to the product's reviews.
    func openReviews()
}

public import CoreTracker
public import TYTracker

/// The presenter of the screen of one product.
///
/// It runs on the main actor, like its view. Each action of the user synchronously tracks one event, without an actor
/// hop.
@MainActor
public final class TYProductDetailPresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any TYProductDetailView)?
    private let product: TYProduct
    private let tracker: any CoreTracker

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - product: The product on the screen.
    ///   - tracker: The tracker that receives the events.
    public init(product: TYProduct, tracker: any CoreTracker = TYProductDetailTracker()) {
        self.product = product
        self.tracker = tracker
    }

    /// Shows the product; call it whenever the screen appears.
    public func appear() {
        view?.show(product)
        tracker.track(TYContentViewed(product: product))
    }

    /// Adds the product to the cart.
    ///
    /// - Parameter quantity: The number of pieces. Values below 1 count as 1.
    public func addToBasket(quantity: Int = 1) {
        let pieces = max(1, quantity)
        tracker.track(TYCartChanged(.added, product: product, quantity: pieces))
        view?.showAdded(pieces)
    }

    /// Removes the product from the cart.
    ///
    /// - Parameter quantity: The number of pieces. Values below 1 count as 1.
    public func removeFromBasket(quantity: Int = 1) {
        let pieces = max(1, quantity)
        tracker.track(TYCartChanged(.removed, product: product, quantity: pieces))
        view?.showRemoved(pieces)
    }

    /// Opens the reviews.
    public func tapReviews() {
        tracker.track(TYReviewsOpened(product: product))
        view?.openReviews()
    }
}

/// A view that shows one product.
@MainActor
public protocol TYProductDetailView: AnyObject {
    /// Shows the product.
    ///
    /// - Parameter product: The product.
    func show(_ product: TYProduct)
    /// Shows the number of pieces added to the cart.
    ///
    /// - Parameter quantity: The number of pieces.
    func showAdded(_ quantity: Int)
    /// Shows the number of pieces removed from the cart.
    ///
    /// - Parameter quantity: The number of pieces.
    func showRemoved(_ quantity: Int)
    /// Opens the product's reviews.
    func openReviews()
}

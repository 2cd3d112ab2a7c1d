public import CoreTracker
public import TYTracker

/// Drives the screen of one product, and tracks its life.
///
/// It lives on the main actor as its view does; a call from there is synchronous, costs no hop and tracks one event.
@MainActor
public final class TYProductDetailPresenter {
    /// The screen; the presenter does not keep it alive.
    public weak var view: (any TYProductDetailView)?
    private let product: TYProduct
    private let tracker: any CoreTracker

    /// Creates a presenter of a product.
    public init(product: TYProduct, tracker: any CoreTracker = TYProductDetailTracker()) {
        self.product = product
        self.tracker = tracker
    }

    /// Shows the product, each time that the screen comes up.
    public func appear() {
        view?.show(product)
        tracker.track(TYContentViewed(product: product))
    }

    /// Puts pieces of the product into the cart; a quantity below 1 is taken as 1.
    public func addToBasket(quantity: Int = 1) {
        let pieces = max(1, quantity)
        tracker.track(TYCartChanged(.added, product: product, quantity: pieces))
        view?.showAdded(pieces)
    }

    /// Takes pieces of the product out of the cart; a quantity below 1 is taken as 1.
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

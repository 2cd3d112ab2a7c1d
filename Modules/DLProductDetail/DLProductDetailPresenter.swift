public import CoreTracker
public import DLTracker

/// Drives the screen of one product, and tracks its life.
///
/// It lives on the main actor as its view does; a call from there is synchronous, costs no hop and tracks one event.
@MainActor
public final class DLProductDetailPresenter {
    /// The screen; the presenter does not keep it alive.
    public weak var view: (any DLProductDetailView)?
    private let product: DLProduct
    private let tracker: any CoreTracker

    /// Creates a presenter of a product.
    public init(product: DLProduct, tracker: any CoreTracker = DLProductDetailTracker()) {
        self.product = product
        self.tracker = tracker
    }

    /// Shows the product, each time that the screen comes up.
    public func appear() {
        view?.show(product)
        tracker.track(DLProductViewed(product: product))
    }

    /// Puts pieces of the product into the basket; a quantity below 1 is taken as 1.
    public func addToBasket(quantity: Int = 1) {
        let pieces = max(1, quantity)
        tracker.track(DLProductAddedToBasket(product: product, quantity: pieces))
        view?.showAdded(pieces)
    }

    /// Takes pieces of the product out of the basket; a quantity below 1 is taken as 1.
    public func removeFromBasket(quantity: Int = 1) {
        let pieces = max(1, quantity)
        tracker.track(DLProductRemovedFromBasket(product: product, quantity: pieces))
        view?.showRemoved(pieces)
    }

    /// Remembers that the user likes the product.
    public func like() {
        tracker.track(DLProductLiked(product: product))
        view?.showLiked()
    }
}

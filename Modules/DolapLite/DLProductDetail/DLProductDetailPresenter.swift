public import CoreTracker
public import DLTracker

/// The presenter of the screen of one product.
///
/// ```swift
/// let product = DLProduct(id: "7", price: 35.79, currency: "TRY")
/// let tracker = MockTracker()
/// let presenter = DLProductDetailPresenter(product: product, tracker: tracker)
///
/// presenter.appear()
///
/// tracker.expect([DLProductViewed(product: product)])
/// ```
///
/// It runs on the main actor, like its view. Each action of the user synchronously tracks one event, without an actor
/// hop.
@MainActor
public final class DLProductDetailPresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any DLProductDetailView)?
    private let product: DLProduct
    private let tracker: any CoreTracker

    /// Creates a presenter of a product.
    ///
    /// - Parameters:
    ///   - product: The product.
    ///   - tracker: The tracker of the presenter's events.
    public init(product: DLProduct, tracker: any CoreTracker = DLProductDetailTracker()) {
        self.product = product
        self.tracker = tracker
    }

    /// Shows the product; call it whenever the screen appears.
    public func appear() {
        view?.show(product)
        tracker.track(DLProductViewed(product: product))
    }
}

/// The actions of the user.
extension DLProductDetailPresenter {
    /// Adds the product to the basket.
    ///
    /// - Parameter quantity: The number of pieces. Values below 1 count as 1.
    public func addToBasket(quantity: Int = 1) {
        let pieces = max(1, quantity)
        tracker.track(DLProductAddedToBasket(product: product, quantity: pieces))
        view?.showAdded(pieces)
    }

    /// Removes the product from the basket.
    ///
    /// - Parameter quantity: The number of pieces. Values below 1 count as 1.
    public func removeFromBasket(quantity: Int = 1) {
        let pieces = max(1, quantity)
        tracker.track(DLProductRemovedFromBasket(product: product, quantity: pieces))
        view?.showRemoved(pieces)
    }

    /// Marks the product as liked.
    public func like() {
        tracker.track(DLProductLiked(product: product))
        view?.showLiked()
    }
}

/// A view that shows one product.
@MainActor
public protocol DLProductDetailView: AnyObject {
    /// Shows the product.
    ///
    /// - Parameter product: The product.
    func show(_ product: DLProduct)
    /// Shows the number of pieces added to the basket.
    ///
    /// - Parameter quantity: The number of pieces.
    func showAdded(_ quantity: Int)
    /// Shows the number of pieces removed from the basket.
    ///
    /// - Parameter quantity: The number of pieces.
    func showRemoved(_ quantity: Int)
    /// Shows the product as liked.
    func showLiked()
}

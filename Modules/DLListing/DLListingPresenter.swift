public import Analytics
public import CoreTracker
public import DLTracker

/// Drives the screen of a list of products, and tracks its life.
///
/// It lives on the main actor as its view does; a call from there is synchronous, costs no hop, tracks one event and
/// sends one step.
@MainActor
public final class DLListingPresenter {
    /// The screen; the presenter does not keep it alive.
    public weak var view: (any DLListingView)?
    private let listID: String
    private let products: [DLProduct]
    private let tracker: any CoreTracker
    private let analytics: any AnalyticsService

    /// Creates a presenter of a list, which has an id such as a category's code or `search`.
    public init(
        listID: String,
        products: [DLProduct],
        tracker: any CoreTracker = DLListingTracker(),
        analytics: any AnalyticsService = DLAnalyticsService()
    ) {
        self.listID = listID
        self.products = products
        self.tracker = tracker
        self.analytics = analytics
    }

    /// Shows the products, each time that the screen comes up.
    public func appear() {
        view?.show(products)
        tracker.track(DLListingViewed(listID: listID, products: products))
        analytics.send(event: .listOpened(listID, products: products.count))
    }

    /// Opens the product at a place of the list; does nothing where there is none.
    public func tapProduct(at index: Int) {
        guard products.indices.contains(index) else { return }
        tracker.track(DLListingItemSelected(listID: listID, product: products[index], index: index))
        analytics.send(event: .productOpened(products[index]))
        view?.open(products[index])
    }
}

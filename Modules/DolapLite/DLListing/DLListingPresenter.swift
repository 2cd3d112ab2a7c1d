public import Analytics
public import CoreTracker
public import DLTracker

/// The presenter of a list of products.
///
/// ```swift
/// presenter.appear()
/// presenter.tapProduct(at: 1)
/// presenter.tapProduct(at: 2)
///
/// tracker.expect(steps: [.listOpened("shoes", products: 2), .productOpened(products[1])])
/// ```
///
/// It runs on the main actor, like its view. Each action of the user synchronously tracks one event and sends one
/// analytics step, without an actor hop.
@MainActor
public final class DLListingPresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any DLListingView)?
    private let listID: String
    private let products: [DLProduct]
    private let tracker: any CoreTracker
    private let analytics: any AnalyticsService

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - listID: The list's id, such as a category's code or `search`.
    ///   - products: The products, in the order of the list.
    ///   - tracker: The tracker that receives the events.
    ///   - analytics: The service that receives the analytics steps.
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

    /// Shows the products; call it whenever the screen appears.
    public func appear() {
        view?.show(products)
        tracker.track(DLListingViewed(listID: listID, products: products))
        analytics.send(event: .listOpened(listID, products: products.count))
    }

    /// Opens a product of the list.
    ///
    /// - Parameter index: The product's position in the list, from 0. If there is no such product, nothing happens.
    public func tapProduct(at index: Int) {
        guard products.indices.contains(index) else { return }
        tracker.track(DLListingItemSelected(listID: listID, product: products[index], index: index))
        analytics.send(event: .productOpened(products[index]))
        view?.open(products[index])
    }
}

/// A view that shows a list of products.
@MainActor
public protocol DLListingView: AnyObject {
    /// Shows the products of the list.
    ///
    /// - Parameter products: The products, in the order of the list.
    func show(_ products: [DLProduct])
    /// Opens the screen of a product.
    ///
    /// - Parameter product: The product.
    func open(_ product: DLProduct)
}

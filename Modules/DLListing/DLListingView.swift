public import DLTracker

/// The view of a list of products, as its presenter sees it.
@MainActor
public protocol DLListingView: AnyObject {
    /// Shows the products of the list.
    func show(_ products: [DLProduct])
    /// Opens the screen of a product.
    func open(_ product: DLProduct)
}

public import DLTracker

/// A view that shows a list of products.
@MainActor
public protocol DLListingView: AnyObject {
    /// Shows the products of the list.
    func show(_ products: [DLProduct])
    /// Opens the screen of a product.
    func open(_ product: DLProduct)
}

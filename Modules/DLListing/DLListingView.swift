public import DLTracker

/// The screen of a list of products: what its presenter tells it to do.
@MainActor
public protocol DLListingView: AnyObject {
    /// Shows the products of the list.
    func show(_ products: [DLProduct])
    /// Goes to a product's own screen.
    func open(_ product: DLProduct)
}

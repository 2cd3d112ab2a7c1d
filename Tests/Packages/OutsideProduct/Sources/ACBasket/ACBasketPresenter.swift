public import CoreTracker

/// The presenter of the basket.
///
/// It runs on the main actor, like its view.
@MainActor
public final class ACBasketPresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any ACBasketView)?
    private let count: Int
    private let tracker: any CoreTracker

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - count: The number of products in the basket.
    ///   - tracker: The tracker that receives the events.
    public init(count: Int, tracker: any CoreTracker = ACBasketTracker()) {
        self.count = count
        self.tracker = tracker
    }

    /// Shows the number of products; call it each time that the screen appears.
    public func appear() {
        view?.show(count: count)
        tracker.track(ACBasketOpened(count: count))
    }
}

/// A view that shows the basket.
@MainActor
public protocol ACBasketView: AnyObject {
    /// Shows the number of products.
    ///
    /// - Parameter count: The number of products in the basket.
    func show(count: Int)
}

public import CoreTracker

/// The view of the basket.
@MainActor
public protocol ACBasketView: AnyObject {
    /// Shows the number of products.
    func show(count: Int)
}

/// The presenter of the basket.
@MainActor
public final class ACBasketPresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any ACBasketView)?
    private let count: Int
    private let tracker: any CoreTracker

    /// Creates a presenter.
    public init(count: Int, tracker: any CoreTracker = ACBasketTracker()) {
        self.count = count
        self.tracker = tracker
    }

    /// Shows the basket, each time that its screen appears.
    public func appear() {
        view?.show(count: count)
        tracker.track(ACBasketOpened(count: count))
    }
}

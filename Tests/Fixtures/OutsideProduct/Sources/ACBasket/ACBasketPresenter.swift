import CoreTracker

@MainActor
public final class ACBasketPresenter {
    private let count: Int
    private let tracker: any CoreTracker

    public init(count: Int, tracker: any CoreTracker = ACBasketTracker()) {
        self.count = count
        self.tracker = tracker
    }

    public func appear() { tracker.track(ACBasketOpened(count: count)) }
}

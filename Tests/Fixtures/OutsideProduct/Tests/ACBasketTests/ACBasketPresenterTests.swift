import CoreTrackerTesting
import Testing

@testable import ACBasket

@MainActor
@Suite struct ACBasketPresenterTests {
    @Test func `a basket that appears is tracked`() {
        let tracker = MockTracker()

        ACBasketPresenter(count: 2, tracker: tracker).appear()

        tracker.expect([ACBasketOpened(count: 2)])
    }
}

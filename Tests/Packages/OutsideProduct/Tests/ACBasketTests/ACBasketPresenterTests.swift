import CoreTrackerTesting
import Testing

@testable import ACBasket

@MainActor
@Suite struct ACBasketPresenterTests {
    @Test func `the basket is shown and tracked when it appears`() {
        let tracker = MockTracker()
        let view = RecordingView()
        let presenter = ACBasketPresenter(count: 2, tracker: tracker)
        presenter.view = view

        presenter.appear()

        tracker.expect([ACBasketOpened(count: 2)])
        #expect(view.shown == [2])
    }
}

private final class RecordingView: ACBasketView {
    private(set) var shown: [Int] = []

    func show(count: Int) { shown.append(count) }
}

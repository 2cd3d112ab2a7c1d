import CoreTracker
import CoreTrackerTesting
import DLTracker
import Testing

/// The example of the README; its presenter and event stand below, and a check keeps both texts equal.
@Suite struct ReadmeTests {
    @Test func `the presenter of the README tracks its event`() {
        let tracker = MockTracker()
        let presenter = BasketPresenter(tracker: tracker)

        presenter.appear(count: 2)

        tracker.expect([BasketOpened(count: 2)])
    }
}

extension EventParameter { static let count = Key<Int>("count") }

struct BasketOpened: CoreTrackable {
    let count: Int

    var services: [EventService] {
        FirebaseEvent("view_cart", [.count(count)])
        AwesomeTrackingEvent("basket_opened", [.count(count)])
    }
}

struct BasketPresenter {
    var tracker: any CoreTracker = DLTracker()

    func appear(count: Int) { tracker.track(BasketOpened(count: count)) }
}

import CoreTrackerTesting
import Testing

@testable import FirstLook

@MainActor
@Suite struct ProductPresenterTests {
    @Test func `a product that appears is tracked`() {
        let tracker = MockTracker()

        ProductPresenter(id: "7", tracker: tracker).appear()

        tracker.expect([ProductViewed(id: "7")])
    }
}

import CoreTracker
import CoreTrackerTesting
import Testing

@testable import ACBasket

@Suite struct ACBasketOpenedTests {
    @Test func `both services get the number of products`() {
        let event = ACBasketOpened(count: 2)

        event.expectServices {
            FirebaseEvent("view_cart", ["count": 2])
            AwesomeTrackingEvent("basket_opened", ["count": 2])
        }
    }
}

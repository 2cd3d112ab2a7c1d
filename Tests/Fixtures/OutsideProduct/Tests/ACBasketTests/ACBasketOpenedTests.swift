import ACTracker
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

    @Test func `the feature's tracker adds the screen`() {
        let firebase = MockFirebaseService()

        ACBasketTracker(ACTracker(firebaseService: firebase)).track(ACBasketOpened(count: 2))

        #expect(firebase.events.map(\.defaults) == [["screen": "basket"]])
    }
}

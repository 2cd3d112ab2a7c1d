import CoreTracker
import DLCheckout
import DLTracker
import Testing

@Suite struct DLCheckoutStartedTests {
    @Test func `both services get the basket`() {
        let event = DLCheckoutStarted(basket: DLBasket(DLProduct(id: "7", price: 35.79, currency: "TRY"), quantity: 2))

        let item: ParameterValue = ["item_id": "7", "price": 35.79, "quantity": 2]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(
                        name: "begin_checkout",
                        parameters: ["currency": "TRY", "value": 71.58, "items": [item]]
                    )
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "checkout_started",
                        parameters: ["total": 71.58, "currency": "TRY", "items": [item]]
                    )
                ),
            ]
        )
    }
}

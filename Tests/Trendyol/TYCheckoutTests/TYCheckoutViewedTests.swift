import CoreTracker
import TYCheckout
import TYTracker
import Testing

@Suite struct TYCheckoutViewedTests {
    @Test func `both services get the cart`() {
        let event = TYCheckoutViewed(cart: TYCart(TYProduct(id: "7", price: 35.79, currency: "TRY"), quantity: 2))

        let item: ParameterValue = ["item_id": "7", "price": 35.79, "quantity": 2]
        let content: ParameterValue = ["content_id": "7", "sale_price": 35.79, "count": 2]
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
                        name: "checkout_view",
                        parameters: ["cart_total": 71.58, "currency": "TRY", "contents": [content]]
                    )
                ),
            ]
        )
    }
}

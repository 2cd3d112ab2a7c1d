import CoreTracker
import TYCheckout
import TYTracker
import Testing

@Suite struct TYShippingSelectedTests {
    @Test func `both services get the delivery method, and Firebase gets the cart`() {
        let cart = TYCart(TYProduct(id: "7", price: 35.79, currency: "TRY"), quantity: 2)
        let event = TYShippingSelected(cart: cart, shipping: TYShipping(.pickUpPoint, price: 4.5))

        let item: ParameterValue = ["item_id": "7", "price": 35.79, "quantity": 2]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(
                        name: "add_shipping_info",
                        parameters: [
                            "currency": "TRY", "value": 71.58, "items": [item], "shipping_tier": "pick_up_point",
                        ]
                    )
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "checkout_shipping_select",
                        parameters: ["delivery_type": "pick_up_point", "shipping_price": 4.5]
                    )
                ),
            ]
        )
    }
}

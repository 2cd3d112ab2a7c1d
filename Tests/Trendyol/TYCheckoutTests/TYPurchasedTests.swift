import CoreTracker
import TYCheckout
import TYTracker
import Testing

@Suite struct TYPurchasedTests {
    private let cart = TYCart(TYProduct(id: "7", price: 35.79, currency: "TRY"), quantity: 2)

    @Test func `both services get the order's number, shipping, coupon and cart`() {
        let event = TYPurchased(
            orderNumber: "1001",
            cart: cart,
            shipping: TYShipping(.express, price: 9.5),
            coupon: "WELCOME"
        )

        let firebase: EventParameters = ["transaction_id": "1001", "shipping": 9.5, "coupon": "WELCOME"]
        let awesomeTracking: EventParameters = [
            "order_number": "1001", "delivery_type": "express", "shipping_price": 9.5, "coupon_code": "WELCOME",
        ]
        #expect(
            event.services == [
                .firebase(FirebaseEvent("purchase", firebase, cart.firebaseParameters, options: .critical)),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "purchase_complete",
                        parameters: awesomeTracking.merging(cart.awesomeTrackingParameters),
                        options: .critical
                    )
                ),
            ]
        )
    }

    @Test func `missing fields of an order are not sent`() {
        let event = TYPurchased(orderNumber: "", cart: cart)

        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "purchase", parameters: cart.firebaseParameters, options: .critical)),
                .awesomeTracking(
                    AwesomeTrackingEvent("purchase_complete", cart.awesomeTrackingParameters, options: .critical)
                ),
            ]
        )
    }
}

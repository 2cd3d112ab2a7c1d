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
                .firebase(FirebaseEvent("purchase", firebase, merging: cart.firebaseParameters, options: .critical)),
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

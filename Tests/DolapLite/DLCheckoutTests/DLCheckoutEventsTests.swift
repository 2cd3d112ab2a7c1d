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

@Suite struct DLPaymentSelectedTests {
    @Test func `both services get the payment method, and Firebase gets the basket`() {
        let basket = DLBasket(DLProduct(id: "7", price: 35.79, currency: "TRY"), quantity: 2)
        let event = DLPaymentSelected(basket: basket, payment: .wallet)

        let item: ParameterValue = ["item_id": "7", "price": 35.79, "quantity": 2]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(
                        name: "add_payment_info",
                        parameters: ["currency": "TRY", "value": 71.58, "items": [item], "payment_type": "wallet"]
                    )
                ),
                .awesomeTracking(AwesomeTrackingEvent(name: "payment_selected", parameters: ["payment": "wallet"])),
            ]
        )
    }
}

@Suite struct DLOrderPlacedTests {
    private let basket = DLBasket(DLProduct(id: "7", price: 35.79, currency: "TRY"), quantity: 2)

    @Test func `both services get the order's id and the basket, as critical events`() {
        let event = DLOrderPlaced(orderID: "o-1", basket: basket)

        let item: ParameterValue = ["item_id": "7", "price": 35.79, "quantity": 2]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(
                        name: "purchase",
                        parameters: ["transaction_id": "o-1", "currency": "TRY", "value": 71.58, "items": [item]],
                        options: .critical
                    )
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "order_placed",
                        parameters: ["order_id": "o-1", "total": 71.58, "currency": "TRY", "items": [item]],
                        options: .critical
                    )
                ),
            ]
        )
    }

    @Test func `an empty order id is omitted`() {
        let event = DLOrderPlaced(orderID: "", basket: basket)

        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "purchase", parameters: basket.firebaseParameters, options: .critical)),
                .awesomeTracking(
                    AwesomeTrackingEvent("order_placed", basket.awesomeTrackingParameters, options: .critical)
                ),
            ]
        )
    }
}

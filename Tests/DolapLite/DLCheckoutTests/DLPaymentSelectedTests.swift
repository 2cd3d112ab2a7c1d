import CoreTracker
import DLCheckout
import DLTracker
import Testing

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

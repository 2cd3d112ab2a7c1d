import CoreTracker
import DLProductDetail
import DLTracker
import Testing

@Suite struct DLProductAddedToBasketTests {
    private let product = DLProduct(id: "7", category: "apparel.shoes", price: 35.79, currency: "TRY")

    @Test func `both services get the product and its quantity`() {
        let event = DLProductAddedToBasket(product: product, quantity: 2)

        let item: ParameterValue = [
            "item_id": "7", "item_category": "apparel", "item_category2": "shoes", "price": 35.79, "quantity": 2,
        ]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(
                        name: "add_to_cart",
                        parameters: ["currency": "TRY", "value": 71.58, "items": [item]]
                    )
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "basket_item_added",
                        parameters: [
                            "item_id": "7", "category": "apparel.shoes", "price": 35.79, "currency": "TRY",
                            "quantity": 2,
                        ]
                    )
                ),
            ]
        )
    }

    @Test(arguments: [0, -1, .min])
    func `a quantity below one is taken as one`(quantity: Int) {
        #expect(DLProductAddedToBasket(product: product, quantity: quantity).quantity == 1)
    }
}

import CoreTracker
import TYProductDetail
import TYTracker
import Testing

@Suite struct TYContentViewedTests {
    @Test func `both services get the product`() {
        let event = TYContentViewed(product: TYProduct(id: "7", brand: "aqua", price: 35.79, currency: "TRY"))

        let item: ParameterValue = ["item_id": "7", "item_brand": "aqua", "price": 35.79, "quantity": 1]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(
                        name: "view_item",
                        parameters: ["currency": "TRY", "value": 35.79, "items": [item]]
                    )
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "pdp_view",
                        parameters: ["content_id": "7", "brand_name": "aqua", "sale_price": 35.79, "currency": "TRY"]
                    )
                ),
            ]
        )
    }
}

@Suite struct TYReviewsOpenedTests {
    @Test func `only AwesomeTracking gets the product`() {
        let event = TYReviewsOpened(product: TYProduct(id: "7", price: 35.79, currency: "TRY"))

        #expect(
            event.services == [
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "pdp_reviews_open",
                        parameters: ["content_id": "7", "sale_price": 35.79, "currency": "TRY"]
                    )
                )
            ]
        )
    }
}

@Suite struct TYCartChangedTests {
    private let product = TYProduct(id: "7", price: 35.79, currency: "TRY")

    @Test(arguments: [(TYCartChanged.Change.added, "add_to_cart", "add"), (.removed, "remove_from_cart", "remove")])
    func `both services get the product, the direction and the quantity`(
        change: TYCartChanged.Change,
        name: String,
        action: String
    ) {
        let event = TYCartChanged(change, product: product, quantity: 2)

        let item: ParameterValue = ["item_id": "7", "price": 35.79, "quantity": 2]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(name: name, parameters: ["currency": "TRY", "value": 71.58, "items": [item]])
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "pdp_cart_change",
                        parameters: [
                            "content_id": "7", "sale_price": 35.79, "currency": "TRY", "action": .string(action),
                            "count": 2,
                        ]
                    )
                ),
            ]
        )
    }

    @Test(arguments: [0, -1, .min])
    func `a quantity below one counts as one`(quantity: Int) {
        #expect(TYCartChanged(.added, product: product, quantity: quantity).quantity == 1)
    }
}

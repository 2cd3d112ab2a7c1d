import CoreTracker
import DLProductDetail
import DLTracker
import Testing

@Suite struct DLProductViewedTests {
    private let product = DLProduct(id: "7", category: "apparel.shoes", price: 35.79, currency: "TRY")

    @Test func `both services get the product`() {
        let event = DLProductViewed(product: product)

        let item: ParameterValue = [
            "item_id": "7", "item_category": "apparel", "item_category2": "shoes", "price": 35.79, "quantity": 1,
        ]
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
                        name: "product_viewed",
                        parameters: [
                            "item_id": "7", "category": "apparel.shoes", "price": 35.79, "currency": "TRY",
                        ]
                    )
                ),
            ]
        )
    }
}

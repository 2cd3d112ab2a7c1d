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

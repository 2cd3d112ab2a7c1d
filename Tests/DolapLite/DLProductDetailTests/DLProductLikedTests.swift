import CoreTracker
import DLProductDetail
import DLTracker
import Testing

@Suite struct DLProductLikedTests {
    private let product = DLProduct(id: "7", category: "apparel.shoes", price: 35.79, currency: "TRY")

    @Test func `both services get the product, and Braze as well`() {
        let event = DLProductLiked(product: product)

        let item: ParameterValue = [
            "item_id": "7", "item_category": "apparel", "item_category2": "shoes", "price": 35.79, "quantity": 1,
        ]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(
                        name: "add_to_wishlist",
                        parameters: ["currency": "TRY", "value": 35.79, "items": [item]]
                    )
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "product_liked",
                        parameters: [
                            "item_id": "7", "category": "apparel.shoes", "price": 35.79, "currency": "TRY",
                        ]
                    )
                ),
                .vendor(
                    VendorEvent(
                        "braze",
                        "product_liked",
                        [
                            "item_id": "7", "category": "apparel.shoes", "price": 35.79, "currency": "TRY",
                        ]
                    )
                ),
            ]
        )
    }
}

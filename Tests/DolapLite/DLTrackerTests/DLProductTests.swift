import CoreTracker
import DLTracker
import Testing

@Suite struct DLProductTests {
    @Test func `AwesomeTracking describes a product by Dolap Lite's own names`() {
        let product = DLProduct(
            id: "7",
            category: "apparel.shoes",
            brand: "aqua",
            condition: .likeNew,
            price: 35.79,
            currency: "TRY"
        )

        #expect(
            product.awesomeTrackingParameters == [
                "item_id": "7", "category": "apparel.shoes", "brand": "aqua", "condition": "like_new", "price": 35.79,
                "currency": "TRY",
            ]
        )
    }

    @Test func `missing fields of a product are omitted`() {
        let product = DLProduct(id: "7", category: "", brand: "", price: 35.79, currency: "TRY")

        #expect(product.awesomeTrackingParameters == ["item_id": "7", "price": 35.79, "currency": "TRY"])
        #expect(product.firebaseItem(at: 2) == ["item_id": "7", "price": 35.79, "quantity": 1, "index": 2])
    }
}

import CoreTracker
import TYTracker
import Testing

@Suite struct TYProductTests {
    @Test func `AwesomeTracking describes a product by Trendyol's own names`() {
        let product = TYProduct(
            id: "7",
            category: "apparel.shoes",
            brand: "aqua",
            merchantID: "m-1",
            listPrice: 40,
            price: 35.79,
            currency: "TRY"
        )

        #expect(
            product.awesomeTrackingParameters == [
                "content_id": "7", "merchant_id": "m-1", "brand_name": "aqua", "category_path": "apparel>shoes",
                "sale_price": 35.79, "list_price": 40.0, "currency": "TRY",
            ]
        )
    }

    @Test func `missing fields of a product are omitted`() {
        let product = TYProduct(id: "7", category: "", brand: "", merchantID: "", price: 35.79, currency: "TRY")

        #expect(product.awesomeTrackingParameters == ["content_id": "7", "sale_price": 35.79, "currency": "TRY"])
    }
}

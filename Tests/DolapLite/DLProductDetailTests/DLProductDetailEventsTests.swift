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
    func `a quantity below one counts as one`(quantity: Int) {
        #expect(DLProductAddedToBasket(product: product, quantity: quantity).quantity == 1)
    }
}

@Suite struct DLProductRemovedFromBasketTests {
    private let product = DLProduct(id: "7", category: "apparel.shoes", price: 35.79, currency: "TRY")

    @Test func `both services get the product and its quantity`() {
        let event = DLProductRemovedFromBasket(product: product, quantity: 2)

        let item: ParameterValue = [
            "item_id": "7", "item_category": "apparel", "item_category2": "shoes", "price": 35.79, "quantity": 2,
        ]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(
                        name: "remove_from_cart",
                        parameters: ["currency": "TRY", "value": 71.58, "items": [item]]
                    )
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "basket_item_removed",
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
    func `a quantity below one counts as one`(quantity: Int) {
        #expect(DLProductRemovedFromBasket(product: product, quantity: quantity).quantity == 1)
    }
}

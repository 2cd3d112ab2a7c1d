import CoreTracker
import DLListing
import DLTracker
import Testing

@Suite struct DLListingViewedTests {
    @Test func `Firebase gets the items with their positions, and AwesomeTracking gets their ids`() {
        let event = DLListingViewed(
            listID: "shoes",
            products: [
                DLProduct(id: "7", price: 35.79, currency: "TRY"), DLProduct(id: "8", price: 12.5, currency: "TRY"),
            ]
        )

        let first: ParameterValue = ["item_id": "7", "price": 35.79, "quantity": 1, "index": 0]
        let second: ParameterValue = ["item_id": "8", "price": 12.5, "quantity": 1, "index": 1]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(
                        name: "view_item_list",
                        parameters: ["item_list_id": "shoes", "items": [first, second]]
                    )
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "listing_viewed",
                        parameters: ["list_id": "shoes", "item_ids": ["7", "8"]]
                    )
                ),
            ]
        )
    }
}

@Suite struct DLListingItemSelectedTests {
    @Test func `both services get the product and its position in the list`() {
        let event = DLListingItemSelected(
            listID: "shoes",
            product: DLProduct(id: "8", price: 12.5, currency: "TRY"),
            index: 1
        )

        let item: ParameterValue = ["item_id": "8", "price": 12.5, "quantity": 1, "index": 1]
        #expect(
            event.services == [
                .firebase(
                    FirebaseEvent(name: "select_item", parameters: ["item_list_id": "shoes", "items": [item]])
                ),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "listing_item_selected",
                        parameters: [
                            "item_id": "8", "price": 12.5, "currency": "TRY", "list_id": "shoes", "position": 1,
                        ]
                    )
                ),
            ]
        )
    }
}

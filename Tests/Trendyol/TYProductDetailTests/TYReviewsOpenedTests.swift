import CoreTracker
import TYProductDetail
import TYTracker
import Testing

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

import CoreTracker

/// A typed test event for Firebase and AwesomeTracking.
struct BasketFilled: CoreTrackable {
    let item: String
    var price = 35.79

    var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "add_to_cart", parameters: ["items": [["item_id": .string(item)]]])),
            .awesomeTracking(AwesomeTrackingEvent(name: "basket_filled", parameters: ["price": .double(price)])),
        ]
    }
}

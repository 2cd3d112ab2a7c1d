import CoreTracker

extension EventParameter {
    /// The number of products in the basket.
    static let count = Key<Int>("count")
    /// The screen that an event comes from.
    static let screen = Key<String>("screen")
}

/// The user opened the basket.
struct ACBasketOpened: CoreTrackable {
    /// The number of products in the basket.
    let count: Int

    var services: [EventService] {
        FirebaseEvent("view_cart", [.count(count)])
        AwesomeTrackingEvent("basket_opened", [.count(count)])
    }
}

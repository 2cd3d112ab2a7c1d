import CoreTracker

extension EventParameter {
    static let count = Key<Int>("count")
    static let screen = Key<String>("screen")
}

struct ACBasketOpened: CoreTrackable {
    let count: Int

    var services: [EventService] {
        FirebaseEvent("view_cart", [.count(count)])
        AwesomeTrackingEvent("basket_opened", [.count(count)])
    }
}

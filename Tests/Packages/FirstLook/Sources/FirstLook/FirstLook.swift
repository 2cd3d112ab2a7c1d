import CoreTracker

struct ProductViewed: CoreTrackable {
    let id: String

    var services: [EventService] {
        FirebaseEvent("view_item", ["item_id": id])
        AwesomeTrackingEvent("product_viewed", ["item_id": id])
    }
}

struct ShopTracker: CoreTracker {
    let firebaseService: any FirebaseService
    let awesomeTrackingService: any AwesomeTrackingService

    init(
        firebaseService: any FirebaseService = PrintingService(),
        awesomeTrackingService: any AwesomeTrackingService = PrintingService()
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
    }
}

@MainActor
final class ProductPresenter {
    private let id: String
    private let tracker: any CoreTracker

    init(id: String, tracker: any CoreTracker = ShopTracker()) {
        self.id = id
        self.tracker = tracker
    }

    func appear() { tracker.track(ProductViewed(id: id)) }
}

@main
enum FirstLook {
    static func main() {
        ProductPresenter(id: "7").appear()
    }
}

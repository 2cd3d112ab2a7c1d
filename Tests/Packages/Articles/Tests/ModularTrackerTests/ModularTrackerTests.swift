import CoreTracker
import CoreTrackerTesting
import Testing

/// An event of Dolap Lite's product detail.
struct DLProductSeen: CoreTrackable {
    let id: String

    var services: [EventService] {
        FirebaseEvent("product_seen", ["id": id])
        AwesomeTrackingEvent("product_seen", ["id": id])
    }
}

/// An event in the labeled form, with variables in a literal.
struct DLSellerOpened: CoreTrackable {
    let sellerID: String
    let rating: Double

    var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "seller_opened", parameters: ["seller_id": sellerID, "rating": rating])),
            .awesomeTracking(AwesomeTrackingEvent(name: "seller_opened", parameters: ["seller_id": sellerID])),
        ]
    }
}

/// An event with a dictionary that the screen made.
struct DLFiltersChosen: CoreTrackable {
    let filters: [String: String]

    var services: [EventService] {
        FirebaseEvent(name: "filters_chosen", parameters: filters)
        AwesomeTrackingEvent(name: "filters_chosen", parameters: filters)
    }
}

struct DLFirebaseService: FirebaseService {
    func track(_ event: FirebaseEvent) { PrintingService().track(event) }
}

struct DLAwesomeTrackingService: AwesomeTrackingService {
    var sender: any AwesomeTrackingService = PrintingService()

    func track(_ event: AwesomeTrackingEvent) { sender.track(event.withDefaults(["channel": "dolap_lite"])) }
}

struct DLTracker: CoreTracker {
    var firebaseService: any FirebaseService = DLFirebaseService()
    var awesomeTrackingService: any AwesomeTrackingService = DLAwesomeTrackingService()
}

struct TYAwesomeTrackingService: AwesomeTrackingService {
    var sender: any AwesomeTrackingService = PrintingService()

    func track(_ event: AwesomeTrackingEvent) { sender.track(event.withDefaults(["channel": "trendyol"])) }
}

struct TYTracker: CoreTracker {
    var firebaseService: any FirebaseService = DLFirebaseService()
    var awesomeTrackingService: any AwesomeTrackingService = TYAwesomeTrackingService()
}

struct DLProductDetailPresenter {
    private let tracker: any CoreTracker

    init(tracker: any CoreTracker = DLTracker()) {
        self.tracker = tracker
    }

    func viewDidLoad() { tracker.track(DLProductSeen(id: "7")) }
}

@Suite struct ModularTrackerTests {
    @Test func `the screen of a product tracks one event`() {
        let tracker = MockTracker()

        DLProductDetailPresenter(tracker: tracker).viewDidLoad()

        tracker.expect([DLProductSeen(id: "7")])
    }

    @Test func `an event accepts variables in a labeled literal, and keeps their order`() {
        let firebase = MockFirebaseService()

        DLTracker(firebaseService: firebase).track(DLSellerOpened(sellerID: "s-1", rating: 4.5))

        firebase.expect([FirebaseEvent("seller_opened", ["seller_id": "s-1", "rating": 4.5])])
    }

    @Test func `an event accepts a dictionary, in the order of its names`() {
        let firebase = MockFirebaseService()

        DLTracker(firebaseService: firebase).track(DLFiltersChosen(filters: ["size": "M", "color": "red"]))

        firebase.expect([FirebaseEvent("filters_chosen", ["color": "red", "size": "M"])])
    }

    @Test func `a presenter has the product's own tracker by default`() {
        DLProductDetailPresenter().viewDidLoad()
    }

    @Test func `an event reaches each of its services`() {
        let firebase = MockFirebaseService()
        let awesomeTracking = MockAwesomeTrackingService()
        let tracker = DLTracker(firebaseService: firebase, awesomeTrackingService: awesomeTracking)

        DLProductDetailPresenter(tracker: tracker).viewDidLoad()

        firebase.expect([FirebaseEvent("product_seen", ["id": "7"])])
        awesomeTracking.expect([AwesomeTrackingEvent("product_seen", ["id": "7"])])
    }

    @Test func `two products share their services, each with its own default parameters`() {
        let firebase = MockFirebaseService()
        let sender = MockAwesomeTrackingService()
        let dolapLite = DLTracker(
            firebaseService: firebase,
            awesomeTrackingService: DLAwesomeTrackingService(sender: sender)
        )
        let trendyol = TYTracker(
            firebaseService: firebase,
            awesomeTrackingService: TYAwesomeTrackingService(sender: sender)
        )

        dolapLite.track(DLProductSeen(id: "7"))
        trendyol.track(DLProductSeen(id: "8"))

        #expect(firebase.events.count == 2)
        #expect(sender.events.map(\.defaults) == [["channel": "dolap_lite"], ["channel": "trendyol"]])
    }
}

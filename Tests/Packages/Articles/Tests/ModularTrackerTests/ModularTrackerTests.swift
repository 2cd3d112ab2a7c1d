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

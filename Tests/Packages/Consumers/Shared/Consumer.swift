public import CoreTracker
import CoreTrackerTesting
public import DLTracker
public import MultiTracker

// If the default isolation is the main actor, the keys must be `nonisolated`, because an event is on no actor.
extension ParameterKey {
    nonisolated static let coupon: ParameterKey = "coupon"
}

extension EventParameter {
    nonisolated static let rank = Key<Int>("rank")
    nonisolated static let shop = Key<String>("shop")
}

/// An event with typed fields, personal data and a plan.
public struct CouponEntered: CoreTrackable {
    public let coupon: String
    public let mail: Sensitive<String>

    public init(coupon: String, mail: Sensitive<String>) {
        self.coupon = coupon
        self.mail = mail
    }

    public var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "coupon_entered", parameters: [.coupon: .string(coupon)])),
            .awesomeTracking(
                AwesomeTrackingEvent(
                    name: "coupon_entered",
                    parameters: .sensitive(mail, as: "mail", policy: .hash).merging([
                        "coupon": .string(coupon), "count": 1,
                    ])
                )
            ),
            .vendor(VendorEvent("braze", "Coupon entered")),
        ]
    }
}

extension CouponEntered: PlannedEvent {
    public static var plan: EventPlan<CouponEntered> {
        EventPlan(
            "Coupon entered",
            owner: "Coupons",
            purpose: "Which coupons are used.",
            examples: [CouponEntered(coupon: "WELCOME", mail: Sensitive("ali@example.com"))]
        )
    }
}

extension EventCatalog {
    nonisolated public static let coupons = EventCatalog("Coupons", product: "AC", events: [CouponEntered.self])
}

/// An event in the short form, with a service that depends on its fields.
public struct CouponShown: CoreTrackable {
    public let shop: String?
    public let rank: Int

    public var services: [EventService] {
        FirebaseEvent("coupon_shown", [.shop(shop), .rank(rank)])
        if rank == 1 { AwesomeTrackingEvent("best_coupon_shown", [.shop(shop)]) }
        VendorEvent("braze", "Coupon shown", [.shop(shop)])
    }
}

/// A presenter on the main actor, with the product's tracker as its default.
@MainActor
public final class CouponPresenter {
    private let tracker: any CoreTracker

    public init(tracker: any CoreTracker = DLTracker()) {
        self.tracker = tracker
    }

    public func enter(_ coupon: String, mail: String) {
        tracker.track(CouponEntered(coupon: coupon, mail: Sensitive(mail)))
    }
}

/// A worker that tracks outside the main actor.
public actor CouponImporter {
    private let tracker: any CoreTracker

    public init(tracker: any CoreTracker) {
        self.tracker = tracker
    }

    public func importCoupon(_ coupon: String) async {
        await Task.yield()
        tracker.track(CouponEntered(coupon: coupon, mail: Sensitive("")))
    }
}

/// A product's tracker with custom services.
public struct CouponTracker: CoreTracker {
    public let firebaseService: any FirebaseService
    public let awesomeTrackingService: any AwesomeTrackingService
    public let vendorService: any VendorService

    public init(
        firebaseService: any FirebaseService = SilentService(),
        awesomeTrackingService: any AwesomeTrackingService = DLAwesomeTrackingService(),
        vendorService: any VendorService = NoVendorService(ledger: PrintingService())
    ) {
        self.firebaseService = firebaseService
        self.awesomeTrackingService = awesomeTrackingService
        self.vendorService = vendorService
    }
}

/// A service that sends nothing.
public struct SilentService: FirebaseService {
    public init() {}

    public func track(_ event: FirebaseEvent) {}
}

/// A vendor that records navigation.
public final class CouponVendor: NavigationTrackable, Trackable {
    public let type: TrackerType = "coupons"

    public init() {}

    public func trackNavigate(toView: String, fromView: String) {}
    public func trackBackTap(fromView: String) {}
    public func trackSettingsOpen(fromView: String) {}
}

/// The body of a presenter's test.
@MainActor
func testCouponPresenter() {
    let tracker = MockTracker()
    let presenter = CouponPresenter(tracker: tracker)

    presenter.enter("WELCOME", mail: "ali@example.com")

    tracker.expect([CouponEntered(coupon: "WELCOME", mail: Sensitive("ali@example.com"))])
    tracker.expectNothingPersonal()
}

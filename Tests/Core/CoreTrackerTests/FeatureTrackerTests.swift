import CoreTracker
import CoreTrackerTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct FeatureTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                WishlistTracker(
                    product: ShopTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
                )
            }
        )
    }

    @Test func `the feature's default parameters override those of its product's tracker`() {
        let (firebase, awesomeTracking, vendors) = (
            MockFirebaseService(), MockAwesomeTrackingService(), MockVendorService()
        )
        let tracker = WishlistTracker(
            product: ShopTracker(
                firebaseService: firebase,
                awesomeTrackingService: awesomeTracking,
                vendorService: vendors
            )
        )

        tracker.track(Wished())

        let expected: EventParameters = ["shop": "S", "screen": "wishlist"]
        #expect(firebase.events.map(\.defaults) == [expected])
        #expect(awesomeTracking.events.map(\.defaults) == [expected])
        #expect(vendors.events.map(\.defaults) == [expected])
    }
}

private struct Wished: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("wished")
        AwesomeTrackingEvent("wished")
        VendorEvent("braze", "wished")
    }
}

private struct ShopTracker: CoreTracker {
    let firebaseService: any FirebaseService
    let awesomeTrackingService: any AwesomeTrackingService
    let vendorService: any VendorService
    var allDefaults: EventParameters { ["shop": "S", "screen": "none"] }
}

private struct WishlistTracker: FeatureTracker {
    let product: ShopTracker
    var defaults: EventParameters { ["screen": "wishlist"] }
}

@Suite struct ServiceWithDefaultsTests {
    @Test func `a service adds defaults, which those of the event override`() {
        let shared = MockAwesomeTrackingService()
        let product = ServiceWithDefaults(shared) { ["storefront": "TR", "screen": "none"] }

        product.track(AwesomeTrackingEvent("seen", ["id": 7]).withDefaults(["screen": "detail"]))

        #expect(shared.events.map(\.defaults) == [["storefront": "TR", "screen": "detail"]])
        #expect(shared.events.map(\.parameters) == [["id": 7]])
    }

    @Test func `each kind of service can have default parameters`() {
        let (firebase, vendors) = (MockFirebaseService(), MockVendorService())

        ServiceWithDefaults(firebase) { ["a": 1] }.track(FirebaseEvent("seen"))
        ServiceWithDefaults(vendors) { ["a": 1] }.track(VendorEvent("braze", "seen"))

        #expect(firebase.events.map(\.defaults) == [["a": 1]])
        #expect(vendors.events(of: "braze").map(\.defaults) == [["a": 1]])
    }
}

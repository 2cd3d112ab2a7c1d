import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct ScopedServiceTests {
    @Test func `a service adds defaults, which those of the event override`() {
        let shared = MockAwesomeTrackingService()
        let product = ScopedService(shared) { ["storefront": "TR", "screen": "none"] }

        product.track(AwesomeTrackingEvent("seen", ["id": 7]).scoped(by: ["screen": "detail"]))

        #expect(shared.events.map(\.defaults) == [["storefront": "TR", "screen": "detail"]])
        #expect(shared.events.map(\.parameters) == [["id": 7]])
    }

    @Test func `each kind of service can be scoped`() {
        let (firebase, vendors) = (MockFirebaseService(), MockVendorService())

        ScopedService(firebase) { ["a": 1] }.track(FirebaseEvent("seen"))
        ScopedService(vendors) { ["a": 1] }.track(VendorEvent("braze", "seen"))

        #expect(firebase.events.map(\.defaults) == [["a": 1]])
        #expect(vendors.events(of: "braze").map(\.defaults) == [["a": 1]])
    }
}

import CoreTracker
import CoreTrackerTesting
import MultiTracker
import Testing

@Suite struct MockTrackableTests {
    private let vendor = MockTrackable()

    @Test func `a call is visible before it returns, with its arguments, until a reset`() {
        vendor.trackNavigate(toView: "detail", fromView: "list")
        vendor.track(VendorEvent("mock", "seen", ["count": 1]))

        vendor.expect([
            .navigate(toView: "detail", fromView: "list"), .event(VendorEvent("mock", "seen", ["count": 1])),
        ])
        vendor.reset()
        vendor.expect([])
    }

    @Test func `a store registers it, and keeps calls from it while its consent is denied`() {
        let store = TrackerStore()
        let tracker = Tracker(trackerStore: store)
        store.register(vendor)

        vendor.isConsentDenied = true
        tracker.trackPlay()
        vendor.isConsentDenied = false
        tracker.trackPause()

        vendor.expect([.pause])
    }

    @Test func `every capability records its own call`() {
        vendor.trackPlay()
        vendor.trackStop()
        vendor.trackNext()
        vendor.trackPrevious()
        vendor.trackBackTap(fromView: "a")
        vendor.trackSettingsOpen(fromView: "b")
        vendor.trackTabSelect(view: "c")
        vendor.trackDeepLinkOpen(toView: "d")
        vendor.optionalTrackTap()
        vendor.trackTap(on: "e", fromView: "f")
        vendor.trackLogin()
        vendor.trackHomeTap(extraParam: "g")

        vendor.expect([
            .play, .stop, .next, .previous, .backTap(fromView: "a"), .settingsOpen(fromView: "b"),
            .tabSelect(view: "c"), .deepLinkOpen(toView: "d"), .optionalTap, .tap(on: "e", fromView: "f"), .login,
            .homeTap(extraParam: "g"),
        ])
    }

    @Test(arguments: [
        [MockTrackable.Call.tap(on: "buy", fromView: "b")], [], [.tap(on: "buy", fromView: "a"), .optionalTap],
        [.backTap(fromView: "a")],
    ])
    func `another argument, a missing, a further and another call fail the expectation`(calls: [MockTrackable.Call]) {
        vendor.trackTap(on: "buy", fromView: "a")

        #expect(ExpectationFailure.all { vendor.expect(calls) }.count == 1)
    }

    @Test(arguments: [
        VendorEvent("mock", "seen", ["count": 2]), VendorEvent("mock", "bought", ["count": 1]),
        VendorEvent("adobe", "seen", ["count": 1]),
    ])
    func `an event with another parameter, name or vendor fails the expectation`(event: VendorEvent) {
        vendor.track(VendorEvent("mock", "seen", ["count": 1]))

        #expect(ExpectationFailure.all { vendor.expect([.event(event)]) }.count == 1)
    }
}

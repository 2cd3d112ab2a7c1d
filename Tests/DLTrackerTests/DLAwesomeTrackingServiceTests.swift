import CoreTracker
import EventDelivery
import Synchronization
import Testing

@testable import DLTracker

@Suite struct DLAwesomeTrackingServiceTests {
    @Test func `every event carries Dolap Lite's channel, product and storefront`() {
        let defaults = DLAwesomeTrackingService.defaults(in: .turkey)

        #expect(defaults["channel"] == "dolap_lite")
        #expect(defaults["product_id"] == "DL")
        #expect(defaults["storefront"] == "TR")
        #expect(defaults["currency"] == "TRY")
        #expect(defaults["language"] == "tr")
        #expect(defaults["platform"] != nil)
    }

    @Test func `the storefront is asked once for each event, at the moment of tracking`() {
        let asked = Mutex(0)
        let service = DLAwesomeTrackingService(delivery: DeliveryEngine()) {
            asked.withLock { $0 += 1 }
            return .azerbaijan
        }
        #expect(asked.withLock { $0 } == 0)

        service.track(AwesomeTrackingEvent(name: "seen"))
        service.track(AwesomeTrackingEvent(name: "seen"))

        #expect(asked.withLock { $0 } == 2)
    }
}

import CoreTracker
import EventDelivery
import Synchronization
import Testing

@testable import TYTracker

@Suite struct TYAwesomeTrackingServiceTests {
    @Test func `every event carries Trendyol's channel, product and storefront`() {
        let defaults = TYAwesomeTrackingService.defaults(in: .germany)

        #expect(defaults["channel"] == "trendyol")
        #expect(defaults["product_id"] == "TY")
        #expect(defaults["storefront"] == "DE")
        #expect(defaults["storefront_id"] == 2)
        #expect(defaults["currency"] == "EUR")
        #expect(defaults["language"] == "de-DE")
        #expect(defaults["platform"] != nil)
    }

    @Test func `the storefront is asked once for each event, at the moment of tracking`() {
        let asked = Mutex(0)
        let service = TYAwesomeTrackingService(delivery: DeliveryEngine()) {
            asked.withLock { $0 += 1 }
            return .germany
        }
        #expect(asked.withLock { $0 } == 0)

        service.track(AwesomeTrackingEvent(name: "seen"))
        service.track(AwesomeTrackingEvent(name: "seen"))

        #expect(asked.withLock { $0 } == 2)
    }
}

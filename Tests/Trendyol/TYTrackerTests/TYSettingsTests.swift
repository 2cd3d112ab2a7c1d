import CoreTracker
import TYTracker
import Testing

@Suite struct TYSettingsTests {
    @Test func `every event carries Trendyol's channel, product and storefront`() {
        let defaults = TYSettings(storefront: .germany).awesomeTrackingDefaults

        #expect(defaults["channel"] == "trendyol")
        #expect(defaults["product_id"] == "TY")
        #expect(defaults["storefront"] == "DE")
        #expect(defaults["storefront_id"] == 2)
        #expect(defaults["currency"] == "EUR")
        #expect(defaults["language"] == "de-DE")
        #expect(defaults["platform"] != nil)
    }
}

import CoreTracker
import DLTracker
import Testing

@Suite struct DLSettingsTests {
    @Test func `every event carries Dolap Lite's channel, product and storefront`() {
        let defaults = DLSettings(storefront: .azerbaijan).awesomeTrackingDefaults

        #expect(defaults["channel"] == "dolap_lite")
        #expect(defaults["product_id"] == "DL")
        #expect(defaults["storefront"] == "AZ")
        #expect(defaults["currency"] == "AZN")
        #expect(defaults["language"] == "az")
        #expect(defaults["platform"] != nil)
    }
}

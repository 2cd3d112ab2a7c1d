import CoreTracker
import EventDeliveryTesting
import Testing

@testable import TYTracker

@Suite struct TYSettingsTests {
    @Test func `every event carries Trendyol's channel, product and storefront`() {
        let defaults = TYSettings(storefront: .germany).defaults

        #expect(defaults["channel"] == "trendyol")
        #expect(defaults["product_id"] == "TY")
        #expect(defaults["storefront"] == "DE")
        #expect(defaults["storefront_id"] == 2)
        #expect(defaults["currency"] == "EUR")
        #expect(defaults["language"] == "de-DE")
        #expect(defaults["platform"] != nil)
    }

    @Test(arguments: ProductServicesContract.checks)
    func `the services of Trendyol keep the contract of a product's`(check: ProductServicesContract) async throws {
        try await check.run(on: TYTracker.services, product: "TY")
    }
}

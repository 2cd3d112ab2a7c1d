import CoreTracker
import EventDeliveryTesting
import Testing

@testable import DLTracker

@Suite struct DLSettingsTests {
    @Test func `every event carries Dolap Lite's channel, product and storefront`() {
        let defaults = DLSettings(storefront: .azerbaijan).defaults

        #expect(defaults["channel"] == "dolap_lite")
        #expect(defaults["product_id"] == "DL")
        #expect(defaults["storefront"] == "AZ")
        #expect(defaults["currency"] == "AZN")
        #expect(defaults["language"] == "az")
        #expect(defaults["platform"] != nil)
    }

    @Test(arguments: ProductServicesContract.checks)
    func `the services of Dolap Lite keep the contract of a product's`(check: ProductServicesContract) async throws {
        try await check.run(on: DLTracker.services, product: "DL")
    }
}

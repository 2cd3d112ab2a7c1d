import CoreTracker
import EventDeliveryTesting
import Testing

@testable import SFTracker

@Suite struct SFSettingsTests {
    @Test func `every event carries Starfield's channel, product and mode, and nothing of a shop`() {
        let defaults = SFSettings(mode: .selfPlay).defaults

        #expect(defaults.map(\.key.name) == ["channel", "product_id", "mode", "platform"])
        #expect(defaults["channel"] == "starfield")
        #expect(defaults["product_id"] == "SF")
        #expect(defaults["mode"] == "self_play")
    }

    @Test(arguments: ProductServicesContract.checks)
    func `the services of Starfield keep the contract of a product's`(check: ProductServicesContract) async throws {
        try await check.run(on: SFTracker.services, product: "SF")
    }
}

import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import TYTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct TYTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                TYTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }

    @Test(arguments: ProductTrackerContract.checks)
    func `keeps the contract of a product's tracker`(check: ProductTrackerContract.Check) async throws {
        try await check.run(.init(product: "TY") { TYTracker(on: $0) })
    }

    @Test func `with default arguments, it tracks on the shared engine's lanes and sends nothing`() async {
        TYTracker().track(Shared())

        let lanes = await DeliveryEngine.shared.statistics().filter { $0.id.product == "TY" && $0.ledger.accepted > 0 }
        #expect(Set(lanes.map(\.id)).isSuperset(of: Shared.lanes))
        let report = await DeliveryEngine.shared.flush(timeout: .zero)
        #expect(report.lanes.allSatisfy { $0.outcome == .notOpen && $0.delivered == 0 })
    }
}

/// An event for all services.
private struct Shared: CoreTrackable {
    static let lanes: Set<LaneID> = [
        .firebase(product: "TY"), .awesomeTracking(product: "TY"), LaneID(product: "TY", service: "braze"),
    ]

    var services: [EventService] {
        FirebaseEvent("share")
        AwesomeTrackingEvent("shared")
        VendorEvent("braze", "shared")
    }
}

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

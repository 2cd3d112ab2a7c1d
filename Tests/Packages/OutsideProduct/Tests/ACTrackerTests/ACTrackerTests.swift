import ACTracker
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ACTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                ACTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }

    @Test(arguments: ProductTrackerContract.checks)
    func `keeps the contract of a product's tracker`(check: ProductTrackerContract.Check) async throws {
        try await check.run(.init(product: "AC") { ACTracker(on: $0) })
    }

    @Test func `with default arguments, it tracks on the shared engine's lanes`() async {
        ACTracker().track(Shared())

        let lanes = await DeliveryEngine.shared.statistics().filter { $0.ledger.accepted > 0 }
        #expect(Set(lanes.map(\.id)).isSuperset(of: Shared.lanes))
    }
}

/// An event for all services.
private struct Shared: CoreTrackable {
    static let lanes: Set<LaneID> = [
        .firebase(product: "AC"), .awesomeTracking(product: "AC"), LaneID(product: "AC", service: "braze"),
    ]

    var services: [EventService] {
        FirebaseEvent("share")
        AwesomeTrackingEvent("shared")
        VendorEvent("braze", "shared")
    }
}

@Suite struct ACSettingsTests {
    @Test func `every event carries the country by default`() {
        let defaults = ACSettings(country: "AZ").awesomeTrackingDefaults

        #expect(defaults == ["country": "AZ"])
    }
}

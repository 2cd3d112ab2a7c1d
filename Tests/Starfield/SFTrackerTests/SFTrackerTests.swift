import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import SFTracker
import Testing

@Suite struct SFTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                SFTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }

    @Test(arguments: ProductTrackerContract.checks)
    func `keeps the contract of a product's tracker`(check: ProductTrackerContract) async throws {
        try await check.run(product: "SF") { SFTracker(on: $0) }
    }

    @Test func `with default arguments, it tracks on the shared engine's lanes and sends nothing`() async {
        SFTracker().track(Shared())

        let lanes = await DeliveryEngine.shared.statistics().filter { $0.id.product == "SF" && $0.ledger.accepted > 0 }
        #expect(Set(lanes.map(\.id)).isSuperset(of: Shared.lanes))
        let report = await DeliveryEngine.shared.flush(deadline: .zero)
        #expect(report.lanes.allSatisfy { $0.outcome == .noDestination && $0.delivered == 0 })
    }
}

/// An event for all services.
private struct Shared: CoreTrackable {
    static let lanes: Set<LaneID> = [
        .firebase(product: "SF"), .awesomeTracking(product: "SF"), LaneID(product: "SF", service: "braze"),
    ]

    var services: [EventService] {
        FirebaseEvent("share")
        AwesomeTrackingEvent("shared")
        VendorEvent("braze", "shared")
    }
}

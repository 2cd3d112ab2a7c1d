import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProductTrackerContractTests {
    @Test(arguments: ProductTrackerContract.checks)
    func `the shared lane service keeps the contract of a product's tracker`(
        check: ProductTrackerContract.Check
    ) async throws {
        try await check.run(.init(product: "XY") { LaneTracker(product: "XY", engine: $0) })
    }

    @Test(arguments: ProductTrackerContract.checks.filter { $0.description.contains("vendor") })
    func `a tracker that sends vendor events past the app's vendor service breaks the contract`(
        check: ProductTrackerContract.Check
    ) async {
        await #expect(throws: (any Error).self) {
            let subject = ProductTrackerContract.Subject(product: "XY") { engine in
                LaneTracker(
                    product: "XY",
                    engine: engine,
                    vendorService: LaneService(product: "XY", on: engine)
                )
            }
            try await check.run(subject)
        }
    }
}

/// A product's tracker over the shared lane service.
private struct LaneTracker: CoreTracker {
    let firebaseService: any FirebaseService
    let awesomeTrackingService: any AwesomeTrackingService
    let vendorService: any VendorService

    init(product: String, engine: DeliveryEngine, vendorService: (any VendorService)? = nil) {
        let lanes = LaneService(product: product, on: engine)
        firebaseService = lanes
        awesomeTrackingService = ServiceWithDefaults(lanes) { ["product_id": .string(product), "storefront": "TR"] }
        self.vendorService = vendorService ?? NoVendorService(product: product, on: engine)
    }
}

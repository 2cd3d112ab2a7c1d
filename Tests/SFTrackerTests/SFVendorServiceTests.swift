import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import SFTracker
import Testing

@Suite struct SFVendorServiceTests {
    @Test(arguments: VendorServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: LaneID(product: "SF", service: "acme"))
        let engine = try await destination.makeEngine()

        try await VendorServiceContract.run(check, on: SFVendorService(delivery: engine), type: "acme") {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { VendorEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }
}

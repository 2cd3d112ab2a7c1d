import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import TYTracker
import Testing

@Suite struct TYVendorServiceTests {
    @Test(arguments: VendorServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: LaneID(product: "TY", service: "acme"))
        let engine = try await destination.makeEngine()

        try await VendorServiceContract.run(check, on: TYVendorService(delivery: engine), type: "acme") {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { VendorEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }
}
